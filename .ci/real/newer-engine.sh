# Tests that depend on the engine's version, on a newer engine that keeps its images in the containerd store.
#   bash .ci/real/newer-engine.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" forky '{"features": {"containerd-snapshotter": true}}'
trap stop EXIT
BOXGATE_DOCKER=real real_tests fakes/docker/contract*.test.ts
real_tests .ci/real/box/{install,verified,settings,update,remove,counts,sample-apps}.test.ts
real_tests .ci/real/tunnel/publish.test.ts
exit $status
