#!/bin/sh
# Installs boxgate on this machine from the unpacked release, or the checkout, that holds this script, and starts it.
#
#   sudo sh deploy/install.sh              install or upgrade a box, then start it
#   sudo sh deploy/install.sh gateway      the same for a gateway; it is started once its settings are filled in
#   sudo sh deploy/install.sh --no-start   install only
#   sudo sh deploy/install.sh --uninstall  remove the box; `gateway --uninstall` removes a gateway
#   sh deploy/install.sh --help
#
# It writes these files, and nothing else:
#   /opt/boxgate/VERSION                   the software: the version in use and the one before
#   /opt/boxgate/current                   a link to the version in use
#   /usr/local/bin/boxgate                 a link to the command
#   /etc/systemd/system/boxgate-box.service, boxgate-console.service, and for a tunnel that the box may have later
#   /etc/systemd/system/boxgate-tunnel.service, boxgate-heartbeat.service, boxgate-heartbeat.timer, and for backups
#   /etc/systemd/system/boxgate-backup.service, boxgate-backup.timer, and for daily updates of apps
#   /etc/systemd/system/boxgate-app-updates.service, boxgate-app-updates.timer, and for a certificate
#   /etc/systemd/system/boxgate-https.service, boxgate-https.timer
#   /etc/boxgate/box.env                   settings; written once, never changed again
#   /var/lib/boxgate/update.lock           held while this script runs, so that no update runs beside it
# and for a gateway, instead of the units and the settings of a box
#   /etc/systemd/system/boxgate-gateway.service, boxgate-gateway-firewall.service
#   /etc/systemd/system/nftables.service.d/boxgate-gateway.conf
#   /etc/boxgate/gateway.env               settings; written once, never changed again
#   /etc/boxgate/box-token                 the secret that boxes join with: random, written once
#   /etc/boxgate/tunnel-password           an empty file for the password of wg-easy, written once
#   the system user boxgate
# Apps and state are kept in /var/lib/boxgate, which the units make. Safe to run again: at every moment, `current` leads
# to a whole version. If an upgraded service does not come up, the version before is put back.
# --uninstall takes away what is in this list, except for the settings, the secrets, the lock and the user.
# DESTDIR=/some/folder puts everything below that folder and starts nothing.
set -eu
# Everybody may read what is installed, and only root may change it, whatever the caller's umask is.
umask 022

start=yes
role=box
task=install
new_console=no
for argument; do
  case "$argument" in
    box | gateway) role=$argument ;;
    --no-start) start=no ;;
    --uninstall) task=uninstall ;;
    --help) sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    *)
      echo "install.sh: unknown argument $argument (there are box, gateway, --no-start, --uninstall and --help)" >&2
      exit 2
      ;;
  esac
done

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

root=${DESTDIR-}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
software=$root/opt/boxgate
units_dir=$root/etc/systemd/system
service=boxgate-$role.service
# setting NAME: its value in the settings file, without quotes.
setting() {
  sed -n "s/^$1=//p" "$root/etc/boxgate/$role.env" 2>/dev/null | tail -n 1 | sed "s/^[\"']//; s/[\"']\$//"
}
if [ "$role" = box ]; then
  other=gateway
  state=$(setting BOX_STATE_DIR)
  units="boxgate-tunnel.service boxgate-heartbeat.timer boxgate-heartbeat.service boxgate-backup.timer boxgate-backup.service boxgate-app-updates.timer boxgate-app-updates.service boxgate-https.timer boxgate-https.service boxgate-console.service $service"
else
  other=box
  state=$(setting GATEWAY_STATE_DIR)
  units="boxgate-gateway-notify.timer boxgate-gateway-notify.service $service boxgate-gateway-firewall.service"
fi
state=$root${state:-/var/lib/boxgate}

# The machine -----------------------------------------------------------------------------------------------

check_machine() {
  [ "$(uname -s)" = Linux ] || fail "boxgate runs on Linux, not on $(uname -s)"
  case "$(uname -m)" in
    x86_64) platform=linux-x64 ;;
    aarch64) platform=linux-arm64 ;;
    *) fail "boxgate runs on x86_64 and aarch64, not on $(uname -m)" ;;
  esac
  if [ -z "$root" ]; then
    [ "$(id -u)" = 0 ] || fail "run this as root: sudo sh $0"
    command -v systemctl >/dev/null || fail 'systemd is needed: there is no systemctl'
  fi
  command -v flock >/dev/null || fail 'flock is needed: install the package util-linux'
}

note_missing_programs() {
  if [ "$role" = gateway ]; then
    [ -n "$root" ] || PATH=$PATH:/usr/sbin command -v nft >/dev/null ||
      say 'note: there is no nft. Install the package nftables: without it, boxes reach the network of this server.'
  else
    docker compose version >/dev/null 2>&1 ||
      say 'note: "docker compose" does not answer yet. Install Docker Engine with its Compose plugin before you install apps.'
    case $(docker info --format '{{.DockerRootDir}}' 2>/dev/null) in
      /var/snap/*) say 'note: this Docker is a snap, which cannot read the apps. sudo snap remove docker, then install Docker Engine: https://docs.docker.com/engine/install/' ;;
    esac
  fi
}

# read_state NAME: the start of a file of the state directory. On a gateway that directory belongs to the user boxgate:
# a link there is not followed, a pipe not waited for, and what the file says is looked up or harmless.
read_state() { dd if="$state/$1" iflag=nofollow,nonblock bs=65536 count=4 2>/dev/null; }

# Without a state directory nothing has run here that could update itself.
take_update_lock() {
  lock=$state/update.lock
  [ -d "$state" ] || return 0
  # Where something is already, the shell would open it, and wait for ever at a pipe.
  if [ ! -e "$lock" ] && [ ! -L "$lock" ]; then
    (umask 077 && set -C && : >"$lock") 2>/dev/null && chown -h --reference="$state" "$lock"
  fi
  [ -f "$lock" ] && [ ! -L "$lock" ] || fail "$lock is not a regular file: remove it"
  exec 9<"$lock"
  flock -n 9 || fail "an update of boxgate is running: try again when it has ended (systemctl status 'boxgate*update*')"
}

# The command, the settings, the units ----------------------------------------------------------------------

# place FILE TARGET: copies a file atomically.
place() {
  cp "$1" "$2.new"
  chmod 644 "$2.new"
  sync "$2.new"
  mv -T "$2.new" "$2"
}

place_units() {
  if [ "$role" = box ] && [ ! -e "$units_dir/boxgate-console.service" ]; then new_console=yes; fi
  for unit in $units; do place "$software/current/deploy/$unit" "$units_dir/$unit"; done
  if [ "$role" = gateway ]; then
    mkdir -p "$units_dir/nftables.service.d"
    place "$software/current/deploy/nftables-gateway.conf" "$units_dir/nftables.service.d/boxgate-gateway.conf"
  fi
  [ -n "$root" ] || systemctl daemon-reload
}

place_settings() {
  chmod 755 "$root/etc/boxgate"
  if [ ! -e "$root/etc/boxgate/$role.env" ]; then
    (umask 077 && cp "$software/current/deploy/$role.env.example" "$root/etc/boxgate/$role.env")
  fi
  [ "$role" = gateway ] || return 0
  for secret in box-token tunnel-password; do
    [ -e "$root/etc/boxgate/$secret" ] || (umask 077 && : >"$root/etc/boxgate/$secret")
  done
  [ -s "$root/etc/boxgate/box-token" ] || head -c 32 /dev/urandom | base64 >"$root/etc/boxgate/box-token"
  [ -z "$root" ] || return 0
  id boxgate >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir /var/lib/boxgate --no-create-home --shell /usr/sbin/nologin boxgate
  for secret in box-token tunnel-password; do
    chown root:boxgate "/etc/boxgate/$secret"
    chmod 640 "/etc/boxgate/$secret"
  done
}

# The service -----------------------------------------------------------------------------------------------

start_service() {
  # Loads the rules of this version; there is no moment at which no rules apply.
  [ "$role" = box ] || systemctl try-reload-or-restart boxgate-gateway-firewall ||
    say 'note: the rules of the packet filter were not loaded: journalctl -u boxgate-gateway-firewall says why'
  # The new unit may be wanted by more units than the one that was enabled.
  if [ "$role" = box ] && systemctl is-enabled --quiet boxgate-tunnel 2>/dev/null; then
    systemctl reenable --quiet boxgate-tunnel
  fi
  # A tunnel that an older version brought up has no packet filter, or that version's rules.
  if [ "$role" = box ] && systemctl is-active --quiet boxgate-tunnel; then
    systemctl restart boxgate-tunnel || say 'note: the tunnel is down: journalctl -u boxgate-tunnel says why'
    [ -e "$state/tunnel-ports.json" ] ||
      say 'note: the tunnel is closed for apps that an older version published: boxgate tunnel list names them.'
  fi
  systemctl enable --quiet "$service"
  # The console is enabled once, so that an owner can switch it off.
  if [ "$new_console" = yes ]; then systemctl enable --quiet boxgate-console; fi
  systemctl reset-failed "$service" 2>/dev/null || :
  # It fails if the server ends at once. What follows sees that too, and says what to do.
  systemctl restart "$service" || :
}

console_too() { [ "$role" = gateway ] || printf ' boxgate-console'; }

main_pid() { systemctl show -p MainPID --value "$service"; }

# The server writes its process into running.json once it listens.
is_listening() { read_state running.json | grep -qaw "\"pid\": $(main_pid)"; }

# Whether the service listens within a minute, and is the same process three seconds later.
comes_up() {
  seconds=0
  until is_listening; do
    seconds=$((seconds + 1))
    [ "$seconds" -le 60 ] || return 1
    case "$(systemctl is-active "$service")" in inactive | failed) return 1 ;; esac
    # Gives up after three restarts.
    [ "$(systemctl show -p NRestarts --value "$service")" -lt 3 ] || return 1
    sleep 1
  done
  pid=$(main_pid)
  sleep 3
  [ "$(main_pid)" = "$pid" ]
}

# Runs at every end of an installation. One that ends between switch and commit has failed.
end_install() {
  status=$?
  trap - EXIT
  set +e
  if [ -d "$software/.rollback" ]; then
    put_back
    place_units
    before=$(readlink "$software/current")
    [ "$before" = "$version" ] || rm -rf "${software:?}/$version"
    if [ "$was_running" = no ]; then
      say "boxgate $before is put back" >&2
    elif start_service && comes_up; then
      say "boxgate $before is put back and runs" >&2
    else
      say "boxgate $before is put back, and does not come up either: journalctl -u boxgate-$role says why" >&2
    fi
  fi
  restore_name
  remove_leftovers
  exit "$status"
}

install_boxgate() {
  check_machine
  note_missing_programs
  mkdir -p "$software" "$root/usr/local/bin" "$root/etc/boxgate" "$units_dir"
  chmod 755 "$software"
  take_update_lock
  was_running=no
  [ -n "$root" ] || ! systemctl is-active --quiet "$service" || was_running=yes
  end_cut_off_update
  restore_name
  trap end_install EXIT
  trap 'exit 130' INT TERM HUP
  remove_leftovers
  stage
  switch
  place_units
  place_settings
  ln -sfn /opt/boxgate/current/bin/boxgate "$root/usr/local/bin/boxgate"
  say "boxgate $version is in $software/$version"

  if [ -n "$root" ] || [ "$start" = no ]; then
    commit
    [ -n "$root" ] || say "start it with: systemctl enable --now boxgate-$role$(console_too)"
    return 0
  fi
  if [ "$role" = gateway ] && [ ! -s /etc/boxgate/tunnel-password ]; then
    commit
    say 'next: fill in /etc/boxgate/gateway.env, write the password of wg-easy into /etc/boxgate/tunnel-password,'
    say 'then: systemctl enable --now boxgate-gateway'
    return 0
  fi
  start_service
  if ! comes_up; then
    # If no version was running before, there is no version to restore.
    [ "$was_running" = yes ] || rm -f "$software/.rollback"
    fail "boxgate $version did not come up: journalctl -u boxgate-$role says why"
  fi
  commit
  say "it is running: systemctl status boxgate-$role"
  case "$before" in
    '')
      [ "$role" = gateway ] ||
        say 'next: a reverse proxy on port 80, as /opt/boxgate/current/deploy/proxy/ has it for Caddy and for nginx'
      ;;
    *.before) ;;
    *) say "$before, which ran before, stays; to run it again: sudo sh /opt/boxgate/$before/deploy/install.sh $role" ;;
  esac
}

# shellcheck source=/dev/null
. "$source/deploy/install/versions.sh"
if [ "$task" = install ]; then
  install_boxgate
else
  # shellcheck source=/dev/null
  . "$source/deploy/install/removal.sh"
  uninstall
fi
