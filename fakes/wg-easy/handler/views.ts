import type { Client, LivePeer, State } from '../model/state.ts';

/** A list element of version 14. The order of the members is that of the recordings, as in all views below. */
export function listElement14(state: State, client: Client): object {
  const live = peerOf(state, client);
  return {
    id: client.id,
    name: client.name,
    enabled: client.enabled,
    address: client.ipv4Address,
    publicKey: client.publicKey,
    createdAt: new Date(client.createdAt).toISOString(),
    updatedAt: new Date(client.updatedAt).toISOString(),
    downloadableConfig: true,
    persistentKeepalive: live ? 'off' : null,
    latestHandshakeAt: handshakeOf(live),
    transferRx: live ? 0 : null,
    transferTx: live ? 0 : null,
  };
}

/** A list element of version 15. */
export function listElement15(state: State, client: Client): object {
  const live = peerOf(state, client);
  const transfer = live === undefined ? null : 0;
  return {
    ...membersOf15(client, false),
    createdAt: inSeconds(client.createdAt).toISOString(),
    updatedAt: inSeconds(client.updatedAt).toISOString(),
    oneTimeLink: null,
    latestHandshakeAt: handshakeOf(live),
    endpoint: null,
    transferRx: transfer,
    transferTx: transfer,
  };
}

/** A single client of version 15, with keys and database dates. */
export function clientView(client: Client): object {
  const sqlDate = (time: number) => inSeconds(time).toISOString().replace('T', ' ').slice(0, 19);
  return {
    ...membersOf15(client, true),
    createdAt: sqlDate(client.createdAt),
    updatedAt: sqlDate(client.updatedAt),
    endpoint: null,
  };
}

function membersOf15(client: Client, secrets: boolean) {
  const { settings, privateKey, publicKey, preSharedKey } = client;
  return {
    id: client.id,
    userId: 1,
    interfaceId: 'wg0',
    name: client.name,
    ipv4Address: client.ipv4Address,
    ipv6Address: client.ipv6Address,
    preUp: settings.preUp,
    postUp: settings.postUp,
    preDown: settings.preDown,
    postDown: settings.postDown,
    ...(secrets ? { privateKey, publicKey, preSharedKey } : { publicKey }),
    expiresAt: client.expiresAt,
    allowedIps: settings.allowedIps,
    serverAllowedIps: settings.serverAllowedIps,
    firewallIps: settings.firewallIps,
    persistentKeepalive: settings.persistentKeepalive,
    mtu: settings.mtu,
    ...obfuscation(client),
    dns: settings.dns,
    serverEndpoint: settings.serverEndpoint,
    enabled: client.enabled,
  };
}

function obfuscation({ settings: { jC, jMin, jMax, i1, i2, i3, i4, i5 } }: Client) {
  return { jC, jMin, jMax, i1, i2, i3, i4, i5 };
}

function peerOf(state: State, client: Client): LivePeer | undefined {
  return state.live.find((peer) => peer.publicKey === client.publicKey);
}

/** In whole seconds, like WireGuard. */
function handshakeOf(live: LivePeer | undefined): string | null {
  const time = live?.handshakeAt ?? null;
  return time === null ? null : inSeconds(time).toISOString();
}

/** In whole seconds, like the database. */
function inSeconds(time: number): Date {
  return new Date(Math.floor(time / 1000) * 1000);
}
