# Brings the box's end of the tunnel up and keeps it reachable for the gateway: boxgate-tunnel.service runs this.
#   bash tunnel.sh [FILE.conf]
# Without FILE, it is that of the box's state directory. The interface has the name of the file. It stays when this ends: ip link delete dev NAME.
set -eu
config=${1:-${BOX_STATE_DIR:-/var/lib/boxgate}/tunnel.conf}
interface=$(basename "$config" .conf)
value() { sed -n "s/^$1 = //p" "$config"; }
key=$(value PublicKey) box=$(value Address) gateway=$(value AllowedIPs) endpoint=$(value Endpoint)
box=${box%%/*} gateway=${gateway%%/*} port=${endpoint##*:}
host=${endpoint%:*} host=${host#[} host=${host%]}

# Whether the kernel sends packets from this end to the gateway's end through the interface.
leads() { ip route get "$gateway" from "$box" 2>/dev/null | grep -q " dev $interface "; }

# Network daemons take away routes and addresses that are not theirs, such as at an upgrade. If the way cannot be repaired
# here, because a routing rule of another VPN comes first for example, this ends and systemd starts the tunnel anew.
keep_way() {
  leads && return
  ip address replace "$box/32" dev "$interface" && ip link set up dev "$interface" &&
    ip route replace "$gateway/32" dev "$interface" || true
  leads && return
  echo "packets to the gateway's end do not leave through $interface: $(ip route get "$gateway" from "$box" 2>&1 | head -n 1)" >&2
  exit 1
}

# The peer's endpoint, its latest handshake and the received bytes.
peer() {
  wg show "$interface" dump | while IFS=$'\t' read -r name _ end _ shaken bytes _; do
    [ "$name" != "$key" ] || echo "$end $shaken $bytes"
  done
}

# Sets the same configuration once more, which begins a new handshake, with an address that the gateway's name has now:
# the one in use, then those that were not tried since the last answer.
try_again() {
  local current=${1%:*} address next=
  current=${current#[} current=${current%]}
  local addresses
  addresses=$(timeout 5 getent ahosts "$host" | cut -d ' ' -f 1)
  [ -n "$addresses" ] || return # The name cannot be looked up now.
  for address in $(grep -Fx "$current" <<<"$addresses" || true) $addresses; do
    [[ " $tried " == *" $address "* ]] || { next=$address && break; }
  done
  [ -n "$next" ] || { tried='' next=${addresses%%$'\n'*}; }
  tried="$tried $next"
  [[ $next != *:* ]] || next="[$next]"
  timeout 5 wg setconf "$interface" <(wg-quick strip "$config" | sed "s/^Endpoint = .*/Endpoint = $next:$port/")
}

wg-quick up "$config"
keep_way
[ -z "${NOTIFY_SOCKET-}" ] || systemd-notify --ready

# A gateway that restarts forgets the session. WireGuard here would go on using it for up to 145 seconds, because
# keep-alives ask for no answer. Data does: a running gateway confirms it within 10 seconds, although nothing listens at
# the port, and even if a packet filter there drops the packet inside. Rounds are counted, because clocks may be set.
read -r endpoint shaken bytes < <(peer)
tried=${endpoint%:*} tried=${tried#[} tried=${tried%]}
quiet=0 unanswered=0 is_shaken=
while [ -e "/sys/class/net/$interface" ]; do
  # Somebody emptied the packet filter, as `nft -f /etc/nftables.conf` does: systemd takes the tunnel down and loads it.
  # A table that was flushed is still there, without a rule that drops.
  nft list chain inet boxgate_tunnel from_gateway | grep -qw drop || exit 1
  keep_way
  { printf . >"/dev/udp/$gateway/9"; } 2>/dev/null || true
  sleep 2
  last_shaken=$shaken last_bytes=$bytes
  read -r endpoint shaken bytes < <(peer) || { endpoint=none:0 shaken=0 bytes=0; }
  quiet=$((quiet + 1))
  [ "$bytes" = "$last_bytes" ] || quiet=0
  # A handshake is no answer to data.
  [ "$shaken" = "$last_shaken" ] || is_shaken=1
  if [ "$bytes" != "$last_bytes" ] && [ "$shaken" = "$last_shaken" ]; then
    unanswered=0 is_shaken='' tried=''
  elif [ -n "$is_shaken" ]; then
    unanswered=$((unanswered + 1))
  fi
  if [ "$unanswered" -ge 15 ]; then
    echo "the gateway takes part in handshakes, and answers no data" >&2
    exit 1
  elif [ "$quiet" -ge 6 ]; then
    quiet=0
    if try_again "$endpoint"; then shaken=0 bytes=0; fi
  fi
done
echo "the interface $interface is gone" >&2
exit 1
