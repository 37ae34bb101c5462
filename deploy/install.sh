#!/bin/sh
# Installs boxgate on this machine from the checkout or package that holds this script, and starts it.
#
#   sudo sh deploy/install.sh              install or upgrade a box, then start it
#   sudo sh deploy/install.sh gateway      the same for a gateway; it is started once its settings are filled in
#   sudo sh deploy/install.sh --no-start   install only
#   sh deploy/install.sh --help
#
# What it writes, and nothing else:
#   /opt/boxgate/VERSION                   the software, one directory a version
#   /opt/boxgate/current                   a link to the version in use
#   /usr/local/bin/boxgate                 a link to the command
#   /etc/systemd/system/boxgate-box.service, and for a tunnel that the box may have later
#   /etc/systemd/system/boxgate-tunnel.service, boxgate-heartbeat.service, boxgate-heartbeat.timer
#   /etc/boxgate/box.env                   settings; written once, never changed again
# and for a gateway, instead of the units and the settings of a box
#   /etc/systemd/system/boxgate-gateway.service, boxgate-gateway-firewall.service
#   /etc/systemd/system/nftables.service.d/boxgate-gateway.conf
#   /etc/boxgate/gateway.env               settings; written once, never changed again
#   /etc/boxgate/box-token                 the secret that boxes join with: random, written once
#   /etc/boxgate/tunnel-password           an empty file for the password of wg-easy, written once
#   the system user boxgate
# Apps and state are kept in /var/lib/boxgate, which the units make. Safe to run again: the version that is
# already there is replaced as a whole, or left as it is when a step before that fails.
# DESTDIR=/some/folder puts everything below that folder and starts nothing.
set -eu
# Everybody may read what is installed, and only root may change it, whatever the caller's umask is.
umask 022

start=yes
role=box
for argument; do
  case "$argument" in
    box | gateway) role=$argument ;;
    --no-start) start=no ;;
    --help) sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    *) echo "install.sh: unknown argument $argument (there are box, gateway, --no-start and --help)" >&2; exit 2 ;;
  esac
done

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

root=${DESTDIR-}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
software=$root/opt/boxgate

# The machine -----------------------------------------------------------------------------------------------

[ "$(uname -s)" = Linux ] || fail 'boxgate runs on Linux'
case "$(uname -m)" in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) fail "boxgate runs on x86_64 and aarch64, not on $(uname -m)" ;;
esac
if [ -z "$root" ]; then
  [ "$(id -u)" = 0 ] || fail 'run this as root: sudo sh deploy/install.sh'
  command -v systemctl >/dev/null || fail 'systemd is needed: there is no systemctl'
fi
[ "$role" = box ] || [ -n "$root" ] || PATH=$PATH:/usr/sbin command -v nft >/dev/null ||
  say 'note: there is no nft. Install the package nftables: without it, boxes reach the network of this server.'
command -v flock >/dev/null || fail 'flock is needed: install the package util-linux'
[ "$role" = gateway ] || docker compose version >/dev/null 2>&1 ||
  say 'note: "docker compose" does not answer yet. Install Docker Engine with its Compose plugin before you install apps.'

# The software ----------------------------------------------------------------------------------------------

node=$source/node_modules/node-$platform/bin/node
[ -x "$node" ] || node=$source/bin/node
[ -x "$node" ] || fail "no Node for $platform in $source: run npm ci there first"
[ -d "$source/dist" ] || fail "nothing built in $source: run npm ci there first"
version=$("$node" -p 'require(process.argv[1]).version' "$source/package.json")

mkdir -p "$software"
chmod 755 "$software"
incoming=$software/.incoming
rm -rf "$incoming"
trap 'rm -rf "$incoming"' EXIT
mkdir -p "$incoming/bin"
# What a package of boxgate holds is listed once, in package.json.
"$node" -e '
  const { cpSync, globSync, readFileSync } = require("node:fs");
  const { basename, join } = require("node:path");
  const [source, target] = process.argv.slice(1);
  const { files } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  // Settings that somebody keeps in the checkout hold secrets, and everybody may read what is copied.
  const filter = (path) => !basename(path).startsWith(".env") || path.endsWith(".env.example");
  for (const pattern of ["package.json", "README.md", "LICENSE", ...files]) {
    for (const name of globSync(pattern, { cwd: source })) {
      cpSync(join(source, name), join(target, name), { recursive: true, filter });
    }
  }
' "$source" "$incoming"
cp "$node" "$incoming/bin/node"
cat >"$incoming/bin/boxgate" <<'EOF'
#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node" "$here/../src/cli/boxgate.cjs" "$@"
EOF
chmod -R u=rwX,go=rX "$incoming"
chmod 755 "$incoming/bin/boxgate" "$incoming/bin/node"
"$incoming/bin/boxgate" box serve --help >/dev/null || fail 'the new version does not run on this machine'

# A version that is being replaced stays where the running server finds it until the new one is complete.
rm -rf "$software/.outgoing"
[ ! -e "$software/$version" ] || mv "$software/$version" "$software/.outgoing"
mv "$incoming" "$software/$version"
ln -sfn "$version" "$software/.current"
mv -T "$software/.current" "$software/current"
rm -rf "$software/.outgoing"
say "boxgate $version is in $software/$version"

# The command, the settings, the unit -----------------------------------------------------------------------

mkdir -p "$root/usr/local/bin" "$root/etc/boxgate" "$root/etc/systemd/system"
chmod 755 "$root/etc/boxgate"
ln -sfn /opt/boxgate/current/bin/boxgate "$root/usr/local/bin/boxgate"
if [ ! -e "$root/etc/boxgate/$role.env" ]; then
  (umask 077 && cp "$source/deploy/$role.env.example" "$root/etc/boxgate/$role.env")
fi
units='boxgate-box.service boxgate-tunnel.service boxgate-heartbeat.service boxgate-heartbeat.timer'
[ "$role" = box ] || units='boxgate-gateway.service boxgate-gateway-firewall.service'
for unit in $units; do
  cp "$source/deploy/$unit" "$root/etc/systemd/system/$unit"
  chmod 644 "$root/etc/systemd/system/$unit"
done
if [ "$role" = gateway ]; then
  mkdir -p "$root/etc/systemd/system/nftables.service.d"
  cp "$source/deploy/nftables-gateway.conf" "$root/etc/systemd/system/nftables.service.d/boxgate-gateway.conf"
  chmod 644 "$root/etc/systemd/system/nftables.service.d/boxgate-gateway.conf"
  for secret in box-token tunnel-password; do
    [ -e "$root/etc/boxgate/$secret" ] || (umask 077 && : >"$root/etc/boxgate/$secret")
  done
  [ -s "$root/etc/boxgate/box-token" ] || head -c 32 /dev/urandom | base64 >"$root/etc/boxgate/box-token"
fi

if [ -n "$root" ]; then
  exit 0
fi
if [ "$role" = gateway ]; then
  id boxgate >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir /var/lib/boxgate --no-create-home --shell /usr/sbin/nologin boxgate
  for secret in box-token tunnel-password; do
    chown root:boxgate "/etc/boxgate/$secret"
    chmod 640 "/etc/boxgate/$secret"
  done
fi
systemctl daemon-reload
if [ "$start" = no ]; then
  say "start it with: systemctl enable --now boxgate-$role"
  exit 0
fi
if [ "$role" = gateway ] && [ ! -s /etc/boxgate/tunnel-password ]; then
  say 'next: fill in /etc/boxgate/gateway.env, write the password of wg-easy into /etc/boxgate/tunnel-password,'
  say 'then: systemctl enable --now boxgate-gateway'
  exit 0
fi
# The rules of this version, without a moment without any.
[ "$role" = box ] || systemctl try-reload-or-restart boxgate-gateway-firewall ||
  say 'note: the rules of the packet filter were not loaded: journalctl -u boxgate-gateway-firewall says why'
# The new unit may be wanted by more units than the one that was enabled.
if [ "$role" = box ] && systemctl is-enabled --quiet boxgate-tunnel 2>/dev/null; then
  systemctl reenable --quiet boxgate-tunnel
fi
# A tunnel that an older version brought up has no packet filter, or that version's rules.
if [ "$role" = box ] && systemctl is-active --quiet boxgate-tunnel; then
  systemctl restart boxgate-tunnel || say 'note: the tunnel is down: journalctl -u boxgate-tunnel says why'
  [ -e /var/lib/boxgate/tunnel-ports.json ] ||
    say 'note: the tunnel is closed for apps that an older version published: boxgate tunnel list names them.'
fi
systemctl enable --quiet "boxgate-$role"
systemctl restart "boxgate-$role"
# Long enough for a server that cannot start to have ended.
sleep 2
systemctl is-active --quiet "boxgate-$role" || fail "it did not start: journalctl -u boxgate-$role says why"
say "it is running: systemctl status boxgate-$role"
[ "$role" = gateway ] ||
  say 'next: a reverse proxy on port 80, as /opt/boxgate/current/deploy/proxy/ has it for Caddy and for nginx'
