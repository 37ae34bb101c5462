# Sourced inside the namespaces: starts the parts of one suite and exports where they are.
#   start SCRATCH SUITE [SETTINGS]
set -euo pipefail
# shellcheck source=/dev/null
. .ci/parts/all.sh

start() {
  local scratch=$1 suite=$2 settings=${3:-}
  # Steps that run at the same time have folders of their own.
  local root=$scratch/$suite dir=$scratch/${BOXGATE_STEP:-real-$suite} registry=127.0.0.1:5000
  mkdir -p "$dir/home"
  registry_start "$dir/registry" "$root" 5000
  engine_start "$dir/engine" "$root" 10.201.0.0/16 "$settings"
  images_push "$dir/images" "$dir/engine" "$registry"
  export PATH=$root/client:$PATH DOCKER_HOST=unix://$dir/engine/docker.sock DOCKER_CONFIG=$root/config
  export HOME=$dir/home TMPDIR=$dir/tmp BOXGATE_REAL=$dir BOXGATE_ENGINE=$dir/engine
  export BOXGATE_REGISTRY=$registry BOXGATE_TEST_IMAGE=$registry/web:1 BOXGATE_SUITE=$suite
  mkdir -p "$TMPDIR"
  docker version --format 'Engine {{.Server.Version}}'
  docker compose version
}

# stop: stops what `start` and `start_systemd` started, and keeps the engine's log.
stop() {
  systemd_stop "$BOXGATE_REAL/self-update/systemd"
  systemd_stop "$BOXGATE_REAL/systemd"
  engine_stop "$BOXGATE_ENGINE"
  registry_stop "$BOXGATE_REAL/registry"
  cp "$BOXGATE_ENGINE/log" "$BOXGATE_ARTEFACTS/engine-of-$(basename "$BOXGATE_REAL").log"
}

# start_systemd SCRATCH: a systemd that can use the engine; `inside COMMAND…` runs a command there.
start_systemd() {
  systemd_start "$BOXGATE_REAL/systemd" "$1" "$PWD" "$BOXGATE_ENGINE/docker.sock:/run/docker.sock"
}
inside() {
  systemd_enter "$BOXGATE_REAL/systemd" env -C "$PWD" "$@"
}

# nightly: succeeds if all cases run; .ci/run runs a selection.
nightly() {
  [ "${BOXGATE_PLAN:-nightly}" = nightly ]
}

# real_tests [inside] FILE…: one file after the other, in that order: they share the engine, and some of them stop it.
# A failure is noted in `status`, and the next files run. A file that hangs is ended and named after `limit` seconds.
status=0 limit=900
! nightly || limit=3600
real_tests() {
  local where=() file
  if [ "$1" = inside ]; then where=(inside) && shift; fi
  for file in "$@"; do
    ${where[@]+"${where[@]}"} timeout "$limit" node --test --test-reporter=spec "$file" || status=1
  done
}
