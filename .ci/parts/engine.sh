# A Docker Engine with Compose of one Debian suite, in namespaces of its own below one folder.

# engine_fetch PACKAGES ROOT SUITE: unpacks the programs. Helpers come from bookworm: newer ones need a newer libc.
engine_fetch() {
  local packages=$1 root=$2 suite=$3
  packages_unpack "$packages" "$root" runc/bookworm tini/bookworm busybox-static/bookworm \
    "docker.io/$suite" "docker-cli/$suite" "docker-compose/$suite" "docker-registry/$suite" "containerd/$suite"
  mkdir -p "$root/bin" "$root/client" "$root/config/cli-plugins"
  ln -sf "$root"/usr/sbin/* "$root"/usr/bin/* "$root/bin/"
  ln -sf "$root/usr/bin/tini-static" "$root/bin/docker-init"
  ln -sf "$root/usr/bin/docker" "$root/client/"
  ln -sf "$root/usr/libexec/docker/cli-plugins/docker-compose" "$root/config/cli-plugins/"
}

# engine_start DIR ROOT SUBNET [SETTINGS]: starts an engine that keeps its data in DIR; returns when it answers.
# SETTINGS is the text of its daemon.json.
engine_start() {
  local dir=$1 root=$2 subnet=$3 settings=${4:-}
  mkdir -p "$dir"
  engine_clear "$dir"
  echo "$root" >"$dir/root"
  echo "$subnet" >"$dir/subnet"
  echo "${settings:-{\}}" >"$dir/daemon.json"
  PATH=$root/bin:$PATH setsid unshare -m -p -f --mount-proc --kill-child --propagation private \
    sh -c 'mount -n -t tmpfs -o mode=755 tmpfs /run && exec docker-init -- "$@"' _ \
    dockerd --config-file "$dir/daemon.json" --data-root "$dir/data" --exec-root "$dir/exec" \
    -H "unix://$dir/docker.sock" --pidfile "$dir/pid" \
    --bridge=none --iptables=false --ip6tables=false --ip-forward=false \
    --default-address-pool "base=$subnet,size=24" --exec-opt native.cgroupdriver=cgroupfs \
    --cgroup-parent "$(cgroups_name "$dir")" --shutdown-timeout 3 --log-level warn \
    </dev/null >>"$dir/log" 2>&1 &
  echo $! >"$dir/unshare.pid"
  engine_wait "$dir"
}

# engine_wait DIR: waits until the engine answers, for at most a minute.
engine_wait() {
  local dir=$1 end=$((SECONDS + 60))
  until engine_docker "$dir" version >/dev/null 2>&1; do
    if ! kill -0 "$(cat "$dir/unshare.pid")" 2>/dev/null || [ $SECONDS -ge $end ]; then
      echo "engine: no answer; the end of its log:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

# engine_docker DIR ARGUMENT…: runs the docker client of that engine.
engine_docker() {
  local dir=$1 root
  shift
  root=$(cat "$dir/root")
  DOCKER_HOST=unix://$dir/docker.sock DOCKER_CONFIG=$root/config "$root/bin/docker" "$@"
}

# engine_stop DIR: stops the engine and its containers. Keeps the data, so that it can be started again.
engine_stop() {
  local dir=$1 pid init
  [ -e "$dir/unshare.pid" ] || return 0
  pid=$(cat "$dir/unshare.pid")
  init=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null || true)
  # docker-init forwards SIGTERM. Killing the namespace at once would leave the data as after a crash.
  if [ -n "$init" ]; then kill -TERM $init 2>/dev/null || true; fi
  process_gone "$pid" 15 || kill -KILL "$pid" 2>/dev/null || true
  process_gone "$pid" 15
  rm -f "$dir/unshare.pid"
  engine_clear "$dir"
}

# engine_restart DIR: starts the engine again with the same arguments.
engine_restart() {
  engine_start "$1" "$(cat "$1/root")" "$(cat "$1/subnet")" "$(cat "$1/daemon.json")"
}

# engine_clear DIR: removes what a stopped engine leaves outside of its data.
engine_clear() {
  local dir=$1
  rm -f "$dir/docker.sock" "$dir/pid"
  cgroups_remove "$(cgroups_name "$dir")"
}
