import { amneziaKeys, quoted, readEndpoint } from '../../lib/network/wireguard-text.ts';

/** A peer's WireGuard configuration: the text for its box, and the box's address in the tunnel. */
export type TunnelConfig = { config: string; address: string };

/** A network of IPv4: its first address, and the length of its prefix. */
export type Network = { address: string; prefix: number };

/** `isSet`: the operator has named it. */
export type KnownNetwork = Network & { isSet?: boolean };

/** wg-easy's own, unless its operator has chosen another one. */
export const usualNetwork: Network = { address: '10.8.0.0', prefix: 24 };

/**
 * Parses the tunnel manager's configuration; removes leading blank lines and the mask of the address, and puts an IPv6
 * address in `Endpoint` into brackets. The box validates the form of the keys, because tunnel managers may write them
 * differently.
 * @param network - the network of the tunnels; `null` accepts the address of any other machine. If it `isSet` by the
 * operator, the address in the text gets its prefix
 * @param mayBeLocal - whether `Endpoint` may be an address of this machine only, as on a trial of gateway and box
 * @returns `null` if the configuration is incomplete; `problem` is what no box can use, and what to correct
 * choice/gateway/38
 */
export function parseTunnelConfig(
  text: string,
  network: KnownNetwork | null = null,
  mayBeLocal = false,
): TunnelConfig | { problem: string } | null {
  const config = text.replace(/^(?:[ \t]*\r?\n)+/, ''); // without blank lines before it
  const lines = config.split('\n').map((line) => line.trim());
  const peerAt = lines.indexOf('[Peer]');
  if (lines[0] !== '[Interface]' || peerAt === -1) return null;
  const own = lines.slice(0, peerAt);
  const gateway = lines.slice(peerAt);
  // `Endpoint` is the last line, so a truncated text lacks it.
  const needed = [valuesOf(own, 'PrivateKey'), valuesOf(gateway, 'PublicKey'), valuesOf(gateway, 'Endpoint')];
  if (!needed.every(([value = '', ...more]) => value !== '' && more.length === 0)) return null;
  const addresses = valuesOf(own, 'Address');
  if (addresses.length === 0) return null;
  return usable(config, addresses, { givenEndpoint: String(needed[2]), mayBeLocal, network });
}

function usable(
  config: string,
  addresses: readonly string[],
  options: { givenEndpoint: string; mayBeLocal: boolean; network: KnownNetwork | null },
): TunnelConfig | { problem: string } {
  const { givenEndpoint, mayBeLocal, network } = options;
  const amnezia = amneziaKeys(config);
  if (amnezia.length > 0) {
    return {
      problem:
        `it makes AmneziaWG tunnels (${amnezia.join(', ')} in its configuration), and boxes have plain WireGuard: ` +
        'set OVERRIDE_AUTO_AWG=wg in the environment of wg-easy, or leave out EXPERIMENTAL_AWG, and restart it',
    };
  }
  const read = readEndpoint(givenEndpoint, mayBeLocal);
  if ('problem' in read) {
    return {
      problem:
        `its configuration has ${read.problem}: set host and port of wg-easy (Admin Panel, Config; version 14: ` +
        'WG_HOST, WG_PORT); the host is a public name or IP address, an IPv6 address in brackets',
    };
  }
  const address = addresses.map((network) => network.split('/', 1).join()).find(isPeerAddress);
  if (address === undefined || (network !== null && !hasPeer(network, address))) {
    return {
      problem:
        `its configuration has the Address ${quoted(addresses.join(', '))}, and a box needs an IPv4 address ` +
        `that another machine can have${network === null ? '' : inNetwork(network)}`,
    };
  }
  const named = !network?.isSet ? config : withPrefix(config, address, network.prefix);
  if (read.endpoint === givenEndpoint) return { config: named, address };
  return { config: named.replace(/^([ \t]*Endpoint[ \t]*=).*$/m, (_, key) => `${key} ${read.endpoint}`), address };
}

/** Version 15 of wg-easy leaves out which network the address is of, and the box needs its first address. */
function withPrefix(config: string, address: string, prefix: number): string {
  return config.replace(/^[ \t]*Address[ \t]*=.*$/gm, (line) =>
    line.replace(/[^\s,=]+/g, (entry) => (entry.split('/', 1)[0] === address ? `${address}/${prefix}` : entry)),
  );
}

/** The values of a key. A line may contain several, separated by commas. */
function valuesOf(lines: readonly string[], key: string): string[] {
  return lines.flatMap((line) => {
    const [name = '', ...rest] = line.split('=');
    if (name.trim() !== key) return [];
    return rest
      .join('=')
      .split(',')
      .map((value) => value.trim());
  });
}

/**
 * Whether a text is a canonical IPv4 address that another machine can have. A route to the gateway's loopback address
 * would publish the gateway's own ports, one to a link-local address the metadata service of its cloud.
 */
export function isPeerAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(isOctet)) return false;
  const first = Number(parts[0]);
  return first > 0 && first < 224 && first !== 127 && !text.startsWith('169.254.');
}

function isOctet(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= 255;
}

function inNetwork({ address, prefix }: Network): string {
  return (
    ` in the network of the tunnels, ${address}/${prefix}: correct the peer's address in wg-easy, ` +
    'or set GATEWAY_TUNNEL_NETWORK in /etc/boxgate/gateway.env to the network that wg-easy has'
  );
}

/** wg-easy has the first address of its network. An interface with another one is that of a VPN client. */
export function networkOfManager(interfaces: readonly Network[]): Network | null {
  const own = interfaces.find(({ address, prefix }) => prefix <= 30 && numberOf(address) % 2 ** (32 - prefix) === 1);
  return own === undefined ? null : { address: addressOf(numberOf(own.address) - 1), prefix: own.prefix };
}

/** A route to any other address would publish a machine that is no box, or the gateway's end itself. */
export function hasPeer({ address: first, prefix }: Network, address: string): boolean {
  const offset = numberOf(address) - numberOf(first);
  return offset > 1 && offset < 2 ** (32 - prefix) - 1;
}

/** The network in a text such as `10.8.0.0/24`, in which a host has room beside the manager; `null` if it is no such text. */
export function parseTunnelNetwork(text: string): Network | null {
  const [address = '', length = ''] = text.split('/');
  const prefix = /^(?:[89]|[12]\d|30)$/.test(length) ? Number(length) : 0;
  const isFirst = isPeerAddress(address) && numberOf(address) % 2 ** (32 - prefix) === 0;
  return prefix > 0 && isFirst && text === `${address}/${length}` ? { address, prefix } : null;
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}
