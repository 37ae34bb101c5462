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
