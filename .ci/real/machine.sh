# Installations under a real systemd: units, tunnels, upgrades, and the conformance suite on engine and service manager.
#   bash .ci/real/machine.sh SCRATCH
# shellcheck source=/dev/null
. .ci/real/support/start.sh
start "$1" trixie
trap stop EXIT
start_systemd "$1"
mkdir -p "$BOXGATE_REAL/units"
BOXGATE_SYSTEMD=real BOXGATE_SYSTEMD_SCRATCH="$BOXGATE_REAL/units" real_tests inside fakes/systemd/contract.proof.test.ts
real_tests .ci/real/machine/deploy.test.ts
real_tests inside .ci/real/machine/{box-systemd,install-release,gateway-systemd,gateway-update}.test.ts
if [ -e /dev/net/tun ]; then
  real_tests inside .ci/real/tunnel/{isolation,recovery}.test.ts
else
  echo 'tests of the tunnel and of gateway setup skipped: without /dev/net/tun there is no WireGuard in userspace'
fi
real_tests inside .ci/real/box/conformance.test.ts
[ -e /dev/net/tun ] || exit $status
# It removes what the tests before have installed.
BOXGATE_TRAEFIK=$1/traefik/traefik BOXGATE_PEBBLE=$1/pebble/usr/bin BOXGATE_ENGINE_ROOT=$1/trixie \
  real_tests inside .ci/real/machine/gateway-setup.test.ts
exit $status
