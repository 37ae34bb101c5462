# The box on a real Docker Engine, without its backups.
#   bash .ci/real/box.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
tests=.ci/real/box
# One kill for each operation; .ci/nightly kills at more moments.
nightly || export BOXGATE_KILL_ROUNDS=5

BOXGATE_DOCKER=real real_tests fakes/docker/contract.proof.test.ts
real_tests $tests/{install,verified,settings,project,operation,remove,disks,sample-apps,kill,app-state,https}.test.ts
if nightly; then
  BOXGATE_DOCKER=real real_tests fakes/docker/contract-*.test.ts
  real_tests $tests/{full-disks,soak,https-dns}.test.ts
fi
exit $status
