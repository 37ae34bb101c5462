# Updates of the software itself, on a machine that is used from outside: the tests switch it off and on again.
#   bash .ci/real/self-update.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
bash .ci/real/self-update/releases.sh "$BOXGATE_REAL/self-update"
real_tests .ci/real/self-update/{update,feed,archive,start,kill,power,disk,page,removal}.test.ts
awk '{ tried += $1 } END { print "self-update: tried " tried " failures" }' "$BOXGATE_REAL/self-update/tried" || status=1
exit $status
