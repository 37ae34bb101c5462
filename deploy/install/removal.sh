# Read by install.sh --uninstall.

uninstall() {
  check_machine
  take_update_lock
  if [ -z "$root" ]; then
    for unit in $units; do
      [ ! -e "$units_dir/$unit" ] || systemctl disable --quiet --now "$unit"
    done
  fi
  for unit in $units; do rm -f "$units_dir/$unit"; done
  [ "$role" = gateway ] || rm -rf "$units_dir/boxgate-backup.timer.d"
  if [ "$role" = gateway ]; then
    rm -f "$units_dir/nftables.service.d/boxgate-gateway.conf"
    rmdir "$units_dir/nftables.service.d" 2>/dev/null || :
  fi
  [ -n "$root" ] || systemctl daemon-reload
  if [ -e "$units_dir/boxgate-$other.service" ]; then
    say "the $role is removed; $software stays, because the $other of this machine runs from it"
  else
    rm -rf "$software" "$root/usr/local/bin/boxgate"
    say "the $role is removed"
  fi
  say "what stays: the data in $state, the settings in $root/etc/boxgate, and Docker with all containers and volumes"
  # The other role keeps its settings there, and usually its data as well.
  [ -e "$units_dir/boxgate-$other.service" ] ||
    say "to delete data and settings, too: rm -r $state $root/etc/boxgate"
  "say_what_runs_on_$role"
}

say_what_runs_on_box() {
  apps=$(setting BOX_INSTALLED_APPS)
  apps=${apps:-$state/apps}
  names=
  for app in "$apps"/*/; do
    [ ! -d "$app" ] || names="$names $(basename "$app")"
  done
  [ -z "$names" ] || say "installed apps go on running:$names (to end one: cd $apps/NAME && docker compose down)"
  [ ! -e "$state/tunnel.json" ] ||
    say 'the gateway keeps the names of this box until its operator removes it (boxgate gateway boxes remove)'
}

say_what_runs_on_gateway() {
  say 'wg-easy and Traefik go on running, now without the packet filter between boxes and this server: stop wg-easy, too'
  say 'the system user boxgate stays, because the data is its own'
}
