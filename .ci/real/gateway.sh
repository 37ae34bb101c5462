# The gateway on a real PostgreSQL and a real Traefik, in a network of its own.
#   bash .ci/real/gateway.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh

scratch=$1
dir=$scratch/real-gateway
export HOME=$dir/home TMPDIR=$dir/tmp BOXGATE_REAL=$dir BOXGATE_TRAEFIK=$scratch/traefik/traefik BOXGATE_PGBOUNCER=$scratch/pgbouncer
export BOXGATE_RESTIC=$scratch/restic
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
# The addresses of the tunnel are on loopback: each box's apps listen at its own.
ip addr add 10.8.0.1/24 dev lo

only=()
if ! nightly; then
  # A short load with kills, then the checks whose result depends on the store.
  export BOXGATE_LOAD_SECONDS=8
  for topic in deregisterBox limits listRoutes model properties registerBox rotateBoxToken route-files store unpublishRoute; do
    only+=(--only "gateway/$topic")
  done
fi
real_tests fakes/traefik/contract.proof.test.ts src/gateway/store/{,*/}*.test.ts
real_tests .ci/real/gateway/{traefik,timeouts,postgres-pooler,backup}.test.ts
# These mostly wait for the janitor.
timeout "$limit" node --test --test-concurrency=2 --test-reporter=spec .ci/real/gateway/{postgres-kill,conformance-tunnel}.test.ts || status=1
# Each environment has a database of its own; the password is passed in a variable.
CONFORMANCE_STORE=$GATEWAY_TEST_POSTGRES node src/cli/boxgate.cjs conformance gateway --profile boxgate \
  ${only[@]+"${only[@]}"} --exec 'node src/cli/boxgate.cjs gateway serve' || status=1
exit $status
