# Images that contain one static busybox. They are pulled only from the registry that a run starts.

# images_push DIR ENGINE REGISTRY: builds the images with that engine, pushes them, and forgets them there.
#   web:1 web:2 web:3   answer a page that names the version on port 8080
#   web:stops           ends at once with status 3
#   web:latest          the same as web:1; tests move it in the registry
images_push() {
  local dir=$1 engine=$2 registry=$3 version
  images_root "$dir/root" "$(cat "$engine/root")/bin/busybox"
  for version in 1 2 3; do
    echo "web $version" >"$dir/root/www/index.html"
    images_import "$dir/root" "$engine" "$registry/web:$version" 'CMD ["httpd","-f","-p","8080","-h","/www"]'
  done
  images_import "$dir/root" "$engine" "$registry/web:stops" 'CMD ["sh","-c","echo cannot start; exit 3"]'
  engine_docker "$engine" tag "$registry/web:1" "$registry/web:latest"
  engine_docker "$engine" push -q "$registry/web:latest" >/dev/null
  engine_docker "$engine" image rm "$registry"/web:{1,2,3,stops,latest} >/dev/null
}

# images_postgres DIR ENGINE REGISTRY POSTGRES: pushes postgres:15, which keeps its data in /data. POSTGRES is the folder of
# `postgres_fetch`. The variable SQL names what runs when it answers; with END it then ends with this status.
images_postgres() {
  local root=$1/postgres engine=$2 registry=$3 from=$4 bin=/usr/lib/postgresql/15/bin file libraries
  images_root "$root" "$(cat "$engine/root")/bin/busybox"
  mkdir -p "$root/usr/lib/postgresql" "$root/usr/share" "$root/lib64"
  cp -a "$from/usr/lib/postgresql/15" "$root/usr/lib/postgresql/"
  cp -a "$from/usr/share/postgresql" "$root/usr/share/"
  libraries=$(printf '%s:' "$from"/usr/lib/*-linux-gnu)
  for file in $(LD_LIBRARY_PATH=$libraries ldd "$from$bin"/{postgres,initdb,pg_ctl,psql} | grep -o '/[^ ]*\.so[^ ]*' | sort -u); do
    cp -L "$file" "$root/lib64/"
  done
  printf '%s\n' 'root:x:0:0::/:/bin/sh' 'postgres:x:999:999::/data:/bin/sh' >"$root/etc/passwd"
  cat >"$root/start" <<SCRIPT
#!/bin/sh
set -e
mkdir -p /data/db && chown 999:999 /data/db
run() { exec su -s /bin/sh postgres -c "exec \$*"; }
[ -e /data/db/PG_VERSION ] || (run $bin/initdb -D /data/db -A trust -N --locale=C --no-instructions >/dev/null)
run $bin/postgres -D /data/db -k /tmp -h 127.0.0.1 &
trap 'kill -INT \$!; wait' TERM INT
until $bin/psql -h 127.0.0.1 -U postgres -qc "\$SQL" 2>/dev/null; do sleep 0.1; done
[ -z "\$END" ] || exit "\$END"
wait
SCRIPT
  chmod 755 "$root/start"
  chmod 1777 "$root/tmp"
  tar -C "$root" -cf - . |
    engine_docker "$engine" import -c 'CMD ["/start"]' -c 'ENV PATH=/bin LD_LIBRARY_PATH=/lib64' - "$registry/postgres:15" >/dev/null
  engine_docker "$engine" push -q "$registry/postgres:15" >/dev/null
}

images_root() {
  local root=$1 busybox=$2 name
  mkdir -p "$root/bin" "$root/www" "$root/data" "$root/tmp" "$root/etc"
  echo 'root:x:0:0::/:/bin/sh' >"$root/etc/passwd"
  cp "$busybox" "$root/bin/busybox"
  for name in $("$root/bin/busybox" --list); do
    [ "$name" = busybox ] || ln -sf busybox "$root/bin/$name"
  done
}

# images_import ROOT ENGINE TAG CMD: imports an image. httpd ignores SIGTERM, so its containers stop by SIGKILL.
images_import() {
  tar -C "$1" -cf - . | engine_docker "$2" import -c "$4" -c 'ENV PATH=/bin' -c 'STOPSIGNAL SIGKILL' - "$3" >/dev/null
  engine_docker "$2" push -q "$3" >/dev/null
}
