# Read by install.sh: the versions below /opt/boxgate, and the link `current` to the one in use.
#
# `.rollback` is a link to the version before, from just before `current` is switched until the new version has come up.
# After a crash, the next start of this script or of the service goes back to that version.

# `current` leads to the version $1 from here on, also after a power cut.
point_to() {
  sync -f "$software"
  ln -sfn "$1" "$software/.current"
  mv -T "$software/.current" "$software/current"
  sync "$software"
}

# Makes the previous version the current one again.
put_back() {
  mv -T "$software/.rollback" "$software/current"
  sync "$software"
  restore_name
}

# Restores a version whose replacement by another build of the same version was interrupted.
restore_name() {
  aside=$(readlink "$software/current" || :)
  case "$aside" in *.before) ;; *) return 0 ;; esac
  rm -rf "${software:?}/${aside%.before}"
  cp -al "$software/$aside" "$software/${aside%.before}"
  point_to "${aside%.before}"
}

# An update or installation that was cut off after its switch counts as failed. The service writes down how an update
# ended when it starts; it needs the lock for that.
end_cut_off_update() {
  if [ -d "$software/.rollback" ]; then
    put_back
    say "an update was cut off: $(readlink "$software/current") is put back first"
  else
    # A forged record of an update costs the service a restart.
    record=$(read_state update-state.json | tr -d '\000')
    case "$record" in *'"finished_at"'*) return 0 ;; *'"stage"'*) ;; *) return 0 ;; esac
  fi
  if [ "$was_running" = yes ]; then
    flock -u 9
    systemctl restart "$service" || :
    comes_up || :
    flock -w 10 9 || fail "an update of boxgate is running: try again when it has ended (systemctl status 'boxgate*update*')"
  fi
}

# Removes unfinished files of installations and updates. This script holds the update lock, so no update uses them.
remove_leftovers() {
  for name in .incoming .replaced .staging .download .current .placed; do rm -rf "${software:?}/$name"; done
  rm -rf "$software"/*.before
}

# Copies the new version to .incoming and sets `version`.
stage() {
  incoming=$software/.incoming
  if [ -x "$source/bin/node" ]; then
    # An unpacked release holds exactly what is installed.
    cp -R "$source" "$incoming"
  else
    stage_checkout
  fi
  chmod -R u=rwX,go=rX "$incoming"
  chmod 755 "$incoming/bin/boxgate" "$incoming/bin/node"
  version=$("$incoming/bin/node" -p 'require(process.argv[1]).version' "$incoming/package.json") ||
    fail "the Node of $source does not run on this machine, which needs the release for $platform"
  "$incoming/bin/boxgate" "$role" serve --help >/dev/null || fail 'the new version does not run on this machine'
}

stage_checkout() {
  node=$source/node_modules/node-$platform/bin/node
  [ -x "$node" ] || fail "no Node for $platform in $source: run npm ci there first"
  [ -d "$source/dist" ] || fail "nothing built in $source: run npm ci there first"
  mkdir -p "$incoming/bin"
  # package.json lists the files of a package of boxgate.
  "$node" -e '
    const { cpSync, globSync, readFileSync } = require("node:fs");
    const { basename, join } = require("node:path");
    const [source, target] = process.argv.slice(1);
    const { files } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    // Settings that somebody keeps in the checkout hold secrets, and everybody may read what is copied.
    const filter = (path) => !basename(path).startsWith(".env") || path.endsWith(".env.example");
    for (const pattern of files) {
      for (const name of globSync(pattern, { cwd: source })) {
        cpSync(join(source, name), join(target, name), { recursive: true, filter });
      }
    }
  ' "$source" "$incoming"
  cp "$node" "$incoming/bin/node"
  cp "$source/deploy/boxgate.sh" "$incoming/bin/boxgate"
}

# Makes the staged version the current one, and sets `before`. Until `commit`, a start after a crash goes back to it.
switch() {
  before=$(readlink "$software/current" || :)
  [ -d "$software/$before" ] || before=
  if [ "$before" = "$version" ]; then
    before=$version.before
    cp -al "$software/$version" "$software/$before"
    point_to "$before"
    mv "$software/$version" "$software/.replaced"
  fi
  rm -rf "${software:?}/$version"
  mv -T "$incoming" "$software/$version"
  [ -z "$before" ] || ln -sfn "$before" "$software/.rollback"
  point_to "$version"
}

# Keeps the new version and the one before.
commit() {
  rm -f "$software/.rollback"
  sync "$software"
  remove_leftovers
  case "$before" in '' | *.before) return 0 ;; esac
  for old in "$software"/[0-9]*; do
    case "${old##*/}" in "$version" | "$before") ;; *) rm -rf "$old" ;; esac
  done
}
