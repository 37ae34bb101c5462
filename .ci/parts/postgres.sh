# A PostgreSQL below one folder, with an unprivileged user, a password and full durability.

# postgres_fetch PACKAGES ROOT: the programs, and those libraries of theirs that this machine lacks.
postgres_fetch() {
  packages_unpack_lacking "$1" "$2" postgresql-15 postgresql-client-15 libpq5
}

# postgres_start DIR ROOT PORT [ARGUMENT…]: a database system that keeps its data in DIR; returns when it answers.
# DIR/url contains its address with the superuser's password. Only root can read the file.
postgres_start() {
  local dir=$1 root=$2 port=$3 end=$((SECONDS + 60))
  shift 3
  postgres_answers "$dir" && return
  mkdir -p "$dir/socket"
  chown nobody:nogroup "$dir" "$dir/socket"
  printf '%s\n' "$root" >"$dir/root"
  printf '%s\n' "$port" >"$dir/port"
  [ -e "$dir/data/PG_VERSION" ] || postgres_init "$dir"
  (umask 077 && printf 'postgres://postgres:%s@127.0.0.1:%s/postgres\n' "$(cat "$dir/password")" "$port" >"$dir/url")
  # A killed server leaves shared memory behind; it is removed with its IPC namespace.
  postgres_run "$dir" setsid unshare --ipc setpriv --reuid=nobody --regid=nogroup --clear-groups \
    "$(postgres_program "$dir" postgres)" -D "$dir/data" -k "$dir/socket" -h 127.0.0.1 -p "$port" \
    -c dynamic_shared_memory_type=mmap -c jit=off "$@" </dev/null >>"$dir/log" 2>&1 &
  until postgres_answers "$dir"; do
    if [ $SECONDS -ge $end ]; then
      echo "postgres: no answer; the end of its log:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

# postgres_init DIR: creates an empty database system with a random password.
postgres_init() {
  local dir=$1
  rm -rf "$dir/data"
  (umask 077 && head -c 24 /dev/urandom | base64 | tr '+/' '-_' >"$dir/password")
  chown nobody:nogroup "$dir/password"
  postgres_run "$dir" setpriv --reuid=nobody --regid=nogroup --clear-groups \
    "$(postgres_program "$dir" initdb)" -D "$dir/data" -U postgres -A scram-sha-256 --pwfile="$dir/password" \
    -E UTF8 --locale=C.UTF-8 --no-instructions >"$dir/log" 2>&1
  chown root:root "$dir/password"
}

postgres_answers() {
  [ -e "$1/port" ] &&
    postgres_run "$1" "$(postgres_program "$1" pg_isready)" -q -U postgres -h 127.0.0.1 -p "$(cat "$1/port")"
}

# postgres_run DIR COMMAND…: runs a command with the unpacked libraries and without the caller's environment.
postgres_run() {
  local root
  root=$(cat "$1/root")
  shift
  env -i -C / PATH="$PATH" LC_ALL=C.UTF-8 \
    LD_LIBRARY_PATH="$(printf '%s:' "$root"/usr/lib/*-linux-gnu)" "$@"
}

postgres_program() {
  echo "$(cat "$1/root")/usr/lib/postgresql/15/bin/$2"
}

# postgres_stop DIR: stops the sessions and the server, and keeps the data.
postgres_stop() {
  local dir=$1 pid
  pid=$(head -n 1 "$dir/data/postmaster.pid" 2>/dev/null) || return 0
  kill -INT "$pid" 2>/dev/null || true
  process_gone "$pid" 15 || postgres_kill "$dir"
}

# postgres_kill DIR: kills all processes of the server, like a power cut.
postgres_kill() {
  local dir=$1 pid
  pid=$(head -n 1 "$dir/data/postmaster.pid" 2>/dev/null) || return 0
  # Each process leads its own process group, so the processes are found by their parent.
  kill -KILL "$pid" $(cat "/proc/$pid/task/$pid/children" 2>/dev/null) 2>/dev/null || true
  process_gone "$pid" 15
}
