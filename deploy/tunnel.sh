# Brings the box's end of the tunnel up and keeps it reachable for the gateway: boxgate-tunnel.service runs this.
#   bash tunnel.sh [FILE.conf]
# Without FILE, it is that of the box's state directory. The interface has the name of the file. It stays when this ends: ip link delete dev NAME.
set -eu
config=${1:-${BOX_STATE_DIR:-/var/lib/boxgate}/tunnel.conf}
interface=$(basename "$config" .conf)
wg-quick up "$config"
read -r _ gateway < <(wg show "$interface" allowed-ips)
[ -z "${NOTIFY_SOCKET-}" ] || systemd-notify --ready

# A gateway that restarts forgets the session. WireGuard here would go on using it for up to 145 seconds, because
# keep-alives ask for no answer. Data does: a running gateway confirms it within 10 seconds, although nothing listens at
# the port, and even if a packet filter there drops the packet inside. Without any answer for 12 seconds the same
# configuration is set once more, which begins a new handshake and looks the gateway's name up again.
received=0 last=$SECONDS
while [ -e "/sys/class/net/$interface" ]; do
  # Somebody emptied the packet filter, as `nft -f /etc/nftables.conf` does: systemd takes the tunnel down and loads it.
  # A table that was flushed is still there, without a rule that drops.
  nft list chain inet boxgate_tunnel from_gateway | grep -qw drop || exit 1
  { printf . >"/dev/udp/${gateway%/*}/9"; } 2>/dev/null || true
  sleep 2
  read -r _ now _ < <(wg show "$interface" transfer 2>/dev/null) || continue
  if [ "$now" != "$received" ]; then
    received=$now last=$SECONDS
  elif [ $((SECONDS - last)) -ge 12 ]; then
    # If the gateway's name cannot be resolved now, the next round tries again.
    WG_ENDPOINT_RESOLUTION_RETRIES=0 timeout 5 wg setconf "$interface" <(wg-quick strip "$config") || true
    received=0 last=$SECONDS
  fi
done
echo "the interface $interface is gone" >&2
exit 1
