# A registry for images on a loopback port, without TLS: engines accept plain HTTP from 127.0.0.1.

# registry_start DIR ROOT PORT: keeps its blobs in DIR; returns when it answers.
registry_start() {
  local dir=$1 root=$2 port=$3 end=$((SECONDS + 30))
  mkdir -p "$dir/blobs"
  cat >"$dir/config.yml" <<CONF
version: 0.1
log: {level: warn, accesslog: {disabled: true}}
storage: {filesystem: {rootdirectory: $dir/blobs}, delete: {enabled: true}}
http: {addr: "127.0.0.1:$port"}
CONF
  OTEL_TRACES_EXPORTER=none setsid "$root/bin/docker-registry" serve "$dir/config.yml" </dev/null >>"$dir/log" 2>&1 &
  echo $! >"$dir/pid"
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    if ! kill -0 "$(cat "$dir/pid")" 2>/dev/null || [ $SECONDS -ge $end ]; then
      echo "registry: no answer; the end of its log:" >&2
      tail -20 "$dir/log" >&2
      return 1
    fi
    sleep 0.1
  done
}

registry_stop() {
  local dir=$1
  [ -e "$dir/pid" ] || return 0
  kill -TERM "$(cat "$dir/pid")" 2>/dev/null || true
  process_gone "$(cat "$dir/pid")" 10
  rm -f "$dir/pid"
}
