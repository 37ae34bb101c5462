/**
 * The WireGuard configuration that a box uses, made from the one that its gateway gave.
 *
 * The gateway's text comes from another machine, and `wg-quick` would run hooks in it as root. So the configuration
 * is written anew, with only the keys below and only values of the allowed form. The manager's `AllowedIPs` would
 * send all traffic of the box through the gateway, but the box only needs connections from the gateway's end of the
 * tunnel.
 */

import { amneziaKeys, readEndpoint } from '../../../lib/network/wireguard-text.ts';
import { type GatewayEnd, gatewayAddress } from './gateway-address.ts';
import { type OwnNetwork, overlapping } from './own-networks.ts';

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const key = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const forms = {
  interface: { PrivateKey: key, Address: new RegExp(`^${ipv4}(?:/\\d{1,2})?(?:\\s*,.*)?$`), MTU: /^\d{3,5}$/ },
  // Only `gatewayAddress` reads AllowedIPs, and `readEndpoint` checks Endpoint.
  peer: { PublicKey: key, PresharedKey: key, AllowedIPs: /^/, Endpoint: /^/ },
} as const;

const required = { interface: ['PrivateKey', 'Address'], peer: ['PublicKey', 'Endpoint'] } as const;

/** Seconds: a box behind a router would become unreachable when nothing is sent for longer. */
const keepAliveSeconds = 25;

/**
 * Bytes of a packet in the tunnel. WireGuard adds up to 80, and a path to the gateway may take fewer than 1500, such as
 * over PPPoE, DS-Lite or another VPN. Where routers drop fragments and their error messages, larger packets are lost.
 */
const mostMtu = 1280;

/** 10/8, 172.16/12, 192.168/16, and 100.64/10 (carrier-grade NAT). */
const privateNetwork = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

type Section = keyof typeof forms;

/**
 * @param text - as the gateway gave it
 * @param ownNetworks - networks of the box; refused if the tunnel overlaps one, because it could capture the home router
 * @returns the text of the file that brings the box's end of the tunnel up, the box's address, and where the gateway's end
 * is. Throws with what was found and what was expected, and never a key
 */
export function boxConfig(
  text: string,
  ownNetworks: readonly OwnNetwork[] = [],
): { text: string; address: string; gatewayEnd: GatewayEnd } {
  refuseAmnezia(text);
  const values = valuesOf(text);
  // The pattern of `Address` ensures that the first entry is an IPv4 address.
  const [network = ''] = String(values.get('Address')).split(/[,\s]/, 1);
  const [address = ''] = network.split('/', 1);
  const gatewayEnd = gatewayAddress(network, values.get('AllowedIPs'));
  if (gatewayEnd === null) {
    throw new Error(
      `the gateway's WireGuard text has the Address ${network}, whose network has no other address for the gateway's end`,
    );
  }
  const gateway = gatewayEnd.address;
  // Traffic to the gateway's end goes through the tunnel: a hostile gateway must not claim 1.1.1.1.
  if (![address, gateway].every((end) => privateNetwork.test(end))) {
    throw new Error("the gateway's WireGuard text has an Address that is of no private network");
  }
  const taken = overlapping([network, gateway], ownNetworks);
  if (taken !== undefined) {
    throw new Error(
      `the gateway's WireGuard text has the Address ${network}, which overlaps ${taken.address}/${taken.prefix} of ${taken.of}: ` +
        "the gateway's operator has to choose another network for the tunnels",
    );
  }
  const read = readEndpoint(String(values.get('Endpoint')));
  if ('problem' in read) {
    throw new Error(
      `the gateway's WireGuard text has ${read.problem}: the gateway's operator has to correct host and port in wg-easy`,
    );
  }
  const shared = values.get('PresharedKey');
  const written = [
    '[Interface]',
    `PrivateKey = ${values.get('PrivateKey')}`,
    `Address = ${address}/32`,
    `MTU = ${Math.min(Number(values.get('MTU') ?? mostMtu), mostMtu)}`,
    '',
    '[Peer]',
    `PublicKey = ${values.get('PublicKey')}`,
    ...(shared === undefined ? [] : [`PresharedKey = ${shared}`]),
    `Endpoint = ${read.endpoint}`,
    `AllowedIPs = ${gateway}/32`,
    `PersistentKeepalive = ${keepAliveSeconds}`,
    '',
  ];
  return { text: written.join('\n'), address, gatewayEnd };
}

function refuseAmnezia(text: string): void {
  const keys = amneziaKeys(text);
  if (keys.length === 0) return;
  throw new Error(
    `the gateway's WireGuard text is for AmneziaWG (${keys.join(', ')}), and a box has plain WireGuard: ` +
      "the gateway's operator has to set OVERRIDE_AUTO_AWG=wg in the environment of wg-easy",
  );
}

/** The values of both sections, which have no key in common. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const seen = new Set<Section>();
  let section: Section | null = null;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\[(\w+)\]$/.exec(line.trim())?.[1]?.toLowerCase();
    if (heading !== undefined) {
      section = newSection(heading, seen);
      seen.add(section);
    } else if (section !== null) take(section, values, line);
  }
  for (const name of ['interface', 'peer'] as const) {
    const missing = required[name].find((wanted) => !values.has(wanted));
    if (missing !== undefined) {
      throw new Error(`the gateway's WireGuard text has no ${missing} in its section [${name}]`);
    }
  }
  return values;
}

function newSection(heading: string, seen: ReadonlySet<Section>): Section {
  if (heading !== 'interface' && heading !== 'peer') {
    throw new Error(`the gateway's WireGuard text has a section [${heading}]`);
  }
  if (seen.has(heading)) throw new Error(`the gateway's WireGuard text has more than one section [${heading}]`);
  return heading;
}

/** A key that is not in the table, hooks and DNS among them, is left out. */
function take(section: Section, values: Map<string, string>, line: string): void {
  const [name = '', value = ''] = line.split(/=(.*)/s, 2).map((part) => part.trim());
  const wanted = Object.entries(forms[section]).find(([known]) => known.toLowerCase() === name.toLowerCase());
  if (wanted === undefined) return;
  const [known, form] = wanted;
  if (!form.test(value)) throw new Error(`the gateway's WireGuard text has a ${known} that is none`);
  values.set(known, value);
}
