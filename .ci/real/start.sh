# Sourced inside the namespaces: starts the parts of one suite and says in the environment where they are.
#   start SCRATCH SUITE [SETTINGS]
set -euo pipefail
# shellcheck source=/dev/null
. .ci/parts/all.sh

start() {
  local scratch=$1 suite=$2 settings=${3:-}
  local root=$scratch/$suite dir=$scratch/real-$suite registry=127.0.0.1:5000
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

# real_tests FILE…: one after the other, since they share the engine and some of them stop it.
real_tests() {
  node --test --test-concurrency=1 --test-reporter=spec "$@"
}
