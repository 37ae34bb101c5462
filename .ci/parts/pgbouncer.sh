# A PgBouncer from the distribution, below one folder and with an unprivileged user.

# pgbouncer_fetch PACKAGES ROOT: the program, and those libraries of its that this machine lacks.
pgbouncer_fetch() {
  packages_unpack_lacking "$1" "$2" pgbouncer libc-ares2
}

# pgbouncer_start DIR ROOT PORT: runs it with DIR/pgbouncer.ini; returns when it listens on the port.
pgbouncer_start() {
  local dir=$1 root=$2 port=$3 end=$((SECONDS + 30))
  chown -R nobody:nogroup "$dir"
  env -i -C / PATH="$PATH" LD_LIBRARY_PATH="$(printf '%s:' "$root"/usr/lib/*-linux-gnu)" \
    setsid setpriv --reuid=nobody --regid=nogroup --clear-groups \
    "$root/usr/sbin/pgbouncer" -q "$dir/pgbouncer.ini" </dev/null >>"$dir/log" 2>&1 &
  echo $! >"$dir/pid"
  until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    if [ $SECONDS -ge $end ]; then
      echo "pgbouncer: no answer; the end of its log:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

pgbouncer_stop() {
  local pid
  pid=$(cat "$1/pid" 2>/dev/null) || return 0
  kill -INT "$pid" 2>/dev/null || true
  process_gone "$pid" 15 || kill -KILL "$pid"
}
