# A systemd as the first process of its namespaces. The machine's files are read-only there; /run, /tmp, /dev, the unit
# folders and the control group are separate, so the machine is not changed.

# systemd_start DIR CARRY…: returns when basic.target is reached. CARRY is a writable path inside: `PATH`, or `PATH:OTHER`
# for another path there.
systemd_start() {
  local dir=$1 name cgroup end=$((SECONDS + 60))
  shift
  mkdir -p "$dir"
  name=$(cgroups_name "$dir")
  cgroup=$(systemd_hierarchy)/$name
  mkdir -p "$cgroup"
  setsid sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec unshare -m -p -f -u -i -C --mount-proc --kill-child \
    --propagation private sh "$@"' _ "$cgroup" "$(dirname "${BASH_SOURCE[0]}")/systemd-inside.sh" "$name" "$@" \
    </dev/null >>"$dir/log" 2>&1 &
  echo $! >"$dir/unshare.pid"
  until systemd_enter "$dir" systemctl is-active -q basic.target 2>/dev/null; do
    if ! kill -0 "$(cat "$dir/unshare.pid")" 2>/dev/null || [ $SECONDS -ge $end ]; then
      echo "systemd: basic.target was not reached; what it said:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

# systemd_enter DIR COMMAND…: runs the command beside that systemd.
systemd_enter() {
  local dir=$1 init
  shift
  init=$(systemd_init "$dir")
  [ -n "$init" ] || return 1
  nsenter -t "$init" -m -p -u -i -C -- "$@"
}

systemd_stop() {
  local dir=$1 pid init
  [ -e "$dir/unshare.pid" ] || return 0
  pid=$(cat "$dir/unshare.pid")
  init=$(systemd_init "$dir")
  # Real-time signal 3 above the minimum: halt.
  if [ -n "$init" ]; then kill -s RTMIN+3 "$init" 2>/dev/null || true; fi
  process_gone "$pid" 15 || kill -KILL "$pid" 2>/dev/null || true
  process_gone "$pid" 15
  rm -f "$dir/unshare.pid"
  cgroups_remove "$(cgroups_name "$dir")"
}

systemd_init() {
  local pid
  pid=$(cat "$1/unshare.pid" 2>/dev/null) || return 0
  tr -d ' ' 2>/dev/null <"/proc/$pid/task/$pid/children" || true
}

# The mounted cgroup2 hierarchy: the only one, or the one beside version 1.
systemd_hierarchy() {
  awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts
}
