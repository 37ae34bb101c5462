# The gateway on a real PostgreSQL and a real Traefik, in a network of its own.
#   bash .ci/real/gateway.sh SCRATCH
set -euo pipefail
# shellcheck source=/dev/null
. .ci/parts/all.sh

scratch=$1
dir=$scratch/real-gateway
export HOME=$dir/home TMPDIR=$dir/tmp BOXGATE_REAL=$dir BOXGATE_TRAEFIK=$scratch/traefik/traefik
mkdir -p "$HOME" "$TMPDIR"
finish() {
  traefik_stop "$dir/traefik"
  postgres_stop "$dir/postgres"
  cp "$dir/postgres/log" "$BOXGATE_ARTEFACTS/postgres.log"
  [ ! -e "$dir/traefik/log" ] || cp "$dir/traefik/log" "$BOXGATE_ARTEFACTS/traefik.log"
}
trap finish EXIT
postgres_start "$dir/postgres" "$scratch/postgres" 5432
GATEWAY_TEST_POSTGRES=$(cat "$dir/postgres/url")
export GATEWAY_TEST_POSTGRES
# The addresses of the tunnel stand on loopback: each box's apps listen at its own.
ip addr add 10.8.0.1/24 dev lo

real_tests() {
  node --test --test-concurrency=1 --test-reporter=spec "$@"
}
status=0
real_tests fakes/traefik/contract.test.ts || status=1
real_tests 'src/gateway/store/**/*.test.ts' || status=1
real_tests .ci/real/gateway-{traefik,timeouts,postgres,secrets}.test.ts || status=1
# These mostly wait until what they cut off is cleaned.
node --test --test-concurrency=2 --test-reporter=spec .ci/real/gateway-{kill,postgres-kill}.test.ts || status=1
node --test --test-reporter=spec .ci/real/conformance-tunnel.test.ts || status=1
# The whole suite, with a database for each of its worlds; the password goes by a variable.
CONFORMANCE_STORE=$GATEWAY_TEST_POSTGRES node src/cli/boxgate.cjs conformance gateway --profile boxgate \
  --exec 'node src/cli/boxgate.cjs gateway serve' || status=1
exit $status
