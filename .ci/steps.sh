# Runs every step of one plan on a bare Debian 12 machine, as root.
#   bash .ci/steps.sh run|nightly
# `run` is what every change has to pass. The steps of `spec` show what others see of the documents and the suite: clients,
# fuzzers, other implementations. `run` has them only when `spec/` or `fakes/` changed since they last passed, which
# `.ci/spec-digest` says. `nightly` has all steps, and those that repeat or enlarge them. All files are in one scratch
# folder, all processes in namespaces that end with their first process. Logs are in artefacts/NAME.log.
set -euo pipefail
# Each step is a process group of its own, so that it can be killed as a whole.
set -m
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=/dev/null
. .ci/parts/all.sh
. .ci/schedule.sh
BOXGATE_PLAN=$1
export BOXGATE_PLAN

spec_digest=$(git ls-files -s spec fakes | sha256sum | cut -d ' ' -f 1)
case $BOXGATE_PLAN in
  nightly) plans='run spec nightly' ;;
  *) [ "$(cat .ci/spec-digest)" = "$spec_digest" ] && plans=run || plans='run spec' ;;
esac

scratch=$(mktemp -d /tmp/boxgate-ci-XXXXXX)
# The database's user needs to pass through this folder.
chmod 711 "$scratch"
clean() {
  schedule_kill
  cgroups_remove "$(cgroups_name "$scratch")-*"
  # Files that cannot be removed do not fail a run that passed.
  rm -rf "$scratch" || true
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The same random values in every run, unless the caller sets other seeds.
export CONFORMANCE_SEED=${CONFORMANCE_SEED:-20261121} BOXGATE_SEED=${BOXGATE_SEED:-20261121}
export PATH=$PWD/node_modules/.bin:$PATH BOXGATE_CI_SCRATCH=$scratch BOXGATE_ARTEFACTS=$PWD/artefacts

parts_fetch() {
  packages_prepare "$scratch/apt"
  engine_fetch "$scratch/apt" "$scratch/trixie" trixie
  postgres_fetch "$scratch/apt" "$scratch/postgres"
  restic_fetch "$scratch/apt" "$scratch/restic"
  pgbouncer_fetch "$scratch/apt" "$scratch/pgbouncer"
  traefik_fetch "$scratch/traefik"
  pebble_fetch "$scratch/apt" "$scratch/pebble"
  packages_unpack "$scratch/apt" "$scratch/caddy" caddy/bookworm
  [ "$BOXGATE_PLAN" != nightly ] || packages_unpack "$scratch/apt" "$scratch/lego" lego/bookworm pebble/forky
}
languages_prepare() {
  languages_install
  languages_fetch "$scratch/languages"
}
# forky is a rolling suite: its engine may need a newer C library than this machine has.
newer_engine() {
  engine_fetch "$scratch/apt" "$scratch/forky" forky
  if "$scratch/forky/bin/dockerd" --version; then
    on_parts newer-engine.sh
  else
    echo '# skipped 1'
  fi
}
on_parts() {
  namespace_run "$scratch/trixie/bin/docker-init" bash ".ci/real/$1" "$scratch"
}
checkout_test() {
  namespace_processes node --test --test-reporter=spec ".ci/checkout/$1.test.ts"
}

# clients_test TOOLCHAIN…
clients_test() {
  PATH=$scratch/languages/go/bin:$PATH BOXGATE_CLIENTS=$* \
    namespace_processes node --test --test-reporter=spec .ci/clients/clients.test.ts
}
# documents_test FILE…
documents_test() {
  PATH=$scratch/languages/go/bin:$PATH \
    namespace_processes node --test --test-concurrency=1 --test-reporter=spec "${@/#/.ci/documents/}"
}

note_spec_digest() {
  echo "$spec_digest" >.ci/spec-digest
  echo 'commit .ci/spec-digest: the next run needs these steps only after another change of spec/ or fakes/'
}
# What is boxgate's own is no part of `npm test`.
own_and_public_tests() {
  CONFORMANCE_OPTIONS='--profile boxgate --coverage' namespace_processes npm test
}
many_proofs() {
  BOXGATE_FAULTS=20 namespace_processes npm run proofs:suite
}

# step PLAN SLOTS NEEDS NAME COMMAND…: three slots are the whole machine; a step that mostly downloads takes none.
installed='packages npm-ci' parts='packages npm-ci parts-fetch' languages='packages npm-ci languages'
step run     0 ''           packages         packages_install
# The build makes the examples of the suite with Python.
step run     0 packages     npm-ci           npm ci --no-audit --no-fund
step run     0 packages     parts-fetch      parts_fetch
step spec    0 packages     languages        languages_prepare
step run     3 "$installed" npm-test         own_and_public_tests
# Longest first, so that no step runs alone at the end.
step run     1 "$parts"     real-machine     on_parts machine.sh
step run     1 "$parts"     real-box         on_parts box.sh
step run     1 "$parts"     real-backup      on_parts backup.sh
step run     1 "$parts"     real-gateway     on_parts gateway.sh
step run     1 "$parts"     real-self-update on_parts self-update.sh
step run     1 "$installed" browser          namespace_processes bash .ci/browser.sh
step spec    1 "$languages" clients-scripts  clients_test openapi-fetch hey-api python zodios
step spec    1 "$languages" clients-go       clients_test ogen oapi-codegen
step spec    1 "$languages" clients-java     clients_test java
step spec    1 "$languages" clients-rust     clients_test progenitor
step run     1 "$installed" source-proofs    namespace_processes npm run proofs:src
step run     1 "$installed" patterns         npm run patterns
step spec    1 "$languages" documents        documents_test lint.test.ts breaking.test.ts
step spec    1 "$languages" schemathesis     documents_test schemathesis.test.ts
step run     1 "$installed" readme           checkout_test readme
step spec    1 "$installed" implementations  checkout_test implementations
# From clones of the commit: changes in this checkout that are not committed do not count.
step run     1 "$installed" release          checkout_test release
step nightly 1 "$parts"     newer-engine     newer_engine
step nightly 3 "$installed" proofs           many_proofs
step nightly 3 "$installed" strength         namespace_processes npm run strength -- --browser /usr/bin/chromium
step nightly 3 "$installed" stable           namespace_processes npm run conformance:stable -- 7
step spec    0 "clients-scripts clients-go clients-java clients-rust documents schemathesis implementations" spec-digest \
  note_spec_digest
schedule_run
