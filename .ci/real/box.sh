# The box and its page on a real Docker Engine.
#   bash .ci/real/box.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
tests=.ci/real/box
# One kill for each operation; .ci/nightly kills at more moments.
nightly || export BOXGATE_KILL_ROUNDS=5

BOXGATE_DOCKER=real real_tests fakes/docker/contract.proof.test.ts
real_tests $tests/{install,verified,settings,project,operation,update,upgrade,remove,bad-days,disks,counts,sample-apps,kill,app-state}.test.ts
images_postgres "$BOXGATE_REAL/images" "$BOXGATE_ENGINE" "$BOXGATE_REGISTRY" "$1/postgres"
nightly || export BOXGATE_BACKUP_KILLS=4
for suite in bookworm trixie; do
  PATH=$1/restic/$suite/usr/bin:$PATH real_tests $tests/{backup,backup-schedule}.test.ts
done
real_tests .ci/real/tunnel/{publish,names}.test.ts .ci/real/page/page.test.ts
real_tests src/box/page/{apps,bad-days,icons,states,updates}.browser.test.ts conformance/report/html.browser.test.ts
node src/cli/boxgate.cjs conformance box --strict --browser /usr/bin/chromium --only box/page \
  --exec 'node src/cli/boxgate.cjs box serve' || status=1
if nightly; then
  BOXGATE_DOCKER=real real_tests fakes/docker/contract-*.test.ts
  real_tests $tests/{full-disks,soak}.test.ts .ci/real/page/states.test.ts src/box/page/origins.browser.test.ts
fi
exit $status
