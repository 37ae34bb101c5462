import type { Client, State } from '../model/state.ts';

const defaultDns = { '14': ['1.1.1.1'], '15': ['1.1.1.1', '2606:4700:4700::1111'] };
const everything = ['0.0.0.0/0', '::/0'];

/** The WireGuard configuration of a client, byte for byte; without a final newline. */
export function configurationText(state: State, client: Client): string {
  return [...interfaceSection(state, client), '', ...peerSection(state, client)].join('\n');
}

function interfaceSection(state: State, client: Client): string[] {
  const key = `PrivateKey = ${client.privateKey}`;
  const { settings, ipv4Address, ipv6Address } = client;
  if (state.dialect === '14')
    return ['', '[Interface]', key, `Address = ${ipv4Address}/24`, `DNS = ${defaultDns['14'].join(', ')}`];
  const dns = settings.dns ?? defaultDns['15'];
  const dnsLines = dns.length > 0 ? [`DNS = ${dns.join(', ')}`] : [];
  return [
    '[Interface]',
    key,
    `Address = ${ipv4Address}/32, ${ipv6Address}/128`,
    `MTU = ${settings.mtu}`,
    ...dnsLines,
    ...hooks(client),
  ];
}

function hooks({ settings }: Client): string[] {
  const { preUp, postUp, preDown, postDown } = settings;
  const lines = { PreUp: preUp, PostUp: postUp, PreDown: preDown, PostDown: postDown };
  return Object.entries(lines).flatMap(([name, command]) => (command === '' ? [] : [`${name} = ${command}`]));
}

/** The `[Peer]` section: the server. */
function peerSection(state: State, { preSharedKey, settings }: Client): string[] {
  const host = settings.serverEndpoint ?? state.endpoint.host;
  return [
    '[Peer]',
    `PublicKey = ${state.server.publicKey}`,
    `PresharedKey = ${preSharedKey}`,
    `AllowedIPs = ${(settings.allowedIps ?? everything).join(', ')}`,
    `PersistentKeepalive = ${settings.persistentKeepalive}`,
    `Endpoint = ${host}:${state.endpoint.port}`,
  ];
}

/** Replaces other characters by single dashes, at most 32 characters; the id if nothing is left. */
export function downloadName({ name, id }: Client): string {
  const safe = String(name)
    .replace(/[^a-zA-Z0-9_=+.]+/g, '-')
    .replace(/-$/, '');
  return `${safe.slice(0, 32) || id}.conf`;
}
