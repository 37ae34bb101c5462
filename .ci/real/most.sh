# What depends on the engine's version, with a newer engine that keeps its images in the containerd store.
#   bash .ci/real/most.sh SCRATCH SUITE
# shellcheck source=/dev/null
. .ci/real/start.sh
start "$1" "$2" '{"features": {"containerd-snapshotter": true}}'
finish() {
  engine_stop "$BOXGATE_ENGINE"
  registry_stop "$BOXGATE_REAL/registry"
  cp "$BOXGATE_ENGINE/log" "$BOXGATE_ARTEFACTS/engine-$BOXGATE_SUITE.log"
}
trap finish EXIT
status=0
BOXGATE_DOCKER=real real_tests fakes/docker/contract*.test.ts || status=1
real_tests .ci/real/{install,verified,settings,update,remove,counts,sample-apps,tunnel-publish}.test.ts || status=1
exit $status
