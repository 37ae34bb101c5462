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
real_tests $tests/{install,verified,settings,project,operation,update,upgrade,remove,bad-days,disks,counts,sample-apps,kill,app-state,https}.test.ts
images_postgres "$BOXGATE_REAL/images" "$BOXGATE_ENGINE" "$BOXGATE_REGISTRY" "$1/postgres"
# Restic of both suites. Outside of .ci/nightly each test runs with one of them.
backup_tests() {
  local programs=$1/usr/bin:$1/../rclone/usr/bin pattern=$2
  shift 2
  ! nightly || pattern=.
  PATH=$programs:$PATH timeout "$limit" \
    node --test --test-concurrency=1 --test-reporter=spec --test-name-pattern="$pattern" "$@" || status=1
}
nightly || export BOXGATE_BACKUP_KILLS=12
backup_tests "$1/restic/bookworm" '^(?!after kill|an upgrade)' $tests/{backup,backup-schedule,backup-remote,backup-kill}.test.ts
backup_tests "$1/restic/trixie" '^(after kill|an upgrade)' $tests/{backup,backup-remote,backup-kill}.test.ts
real_tests .ci/real/tunnel/{publish,names}.test.ts .ci/real/page/page.test.ts
real_tests src/box/page/{apps,bad-days,icons,states,updates}.browser.test.ts conformance/report/html.browser.test.ts
node src/cli/boxgate.cjs conformance box --strict --browser /usr/bin/chromium --only box/page \
  --exec 'node src/cli/boxgate.cjs box serve' || status=1
if nightly; then
  backup_tests "$1/restic/trixie" . $tests/backup-disks.test.ts
  BOXGATE_DOCKER=real real_tests fakes/docker/contract-*.test.ts
  real_tests $tests/{full-disks,soak,https-dns}.test.ts .ci/real/page/{states,console}.test.ts src/box/page/origins.browser.test.ts \
    src/console/page/*.browser.test.ts
fi
exit $status
