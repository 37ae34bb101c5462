# Backups of a box, its public names and its page on a real Docker Engine.
#   bash .ci/real/backup.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
tests=.ci/real/box
images_postgres "$BOXGATE_REAL/images" "$BOXGATE_ENGINE" "$BOXGATE_REGISTRY" "$1/postgres"
# Restic of both suites. Outside of .ci/nightly each test runs with one of them.
backup_tests() {
  local programs=$1/usr/bin:$1/../rclone/usr/bin choice=$2
  shift 2
  ! nightly || choice=--test-name-pattern=.
  PATH=$programs:$PATH timeout "$limit" \
    node --test --test-concurrency=1 --test-reporter=spec "$choice" "$@" || status=1
}
# One kill in each kind of work; .ci/nightly kills at more moments.
nightly || export BOXGATE_BACKUP_KILLS=6
newer='pattern=^(after kill|an upgrade)'
backup_tests "$1/restic/bookworm" "--test-skip-$newer" $tests/{backup,backup-schedule,backup-remote,backup-kill}.test.ts
backup_tests "$1/restic/trixie" "--test-name-$newer" $tests/{backup,backup-remote,backup-kill}.test.ts
backup_tests "$1/restic/trixie" --test-name-pattern=. $tests/{backup-chosen,backup-places,stores,own-apps}.test.ts
backup_tests "$1/restic/bookworm" --test-name-pattern=. .ci/real/page/bring-back.test.ts
real_tests .ci/real/tunnel/{publish,names}.test.ts .ci/real/page/page.test.ts
if nightly; then
  backup_tests "$1/restic/trixie" --test-name-pattern=. $tests/backup-disks.test.ts
  real_tests .ci/real/page/{picture,console}.test.ts
fi
exit $status
