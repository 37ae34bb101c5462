# Updates of the software itself, on a machine without Node, from one release to the next.
#   bash .ci/real/self-update.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
bash .ci/real/self-update/releases.sh "$BOXGATE_REAL/self-update"
real_tests .ci/real/self-update/update.test.ts
exit $status
