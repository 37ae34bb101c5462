import { randomUUID } from 'node:crypto';
import { newKeyPair, newPresharedKey } from './keys.ts';
import type { Client, ClientSettings, State } from './state.ts';

/** The client addresses of the /24; .1 is the server. */
const firstHost = 2;
const lastHost = 254;
export const poolSize = lastHost - firstHost + 1;

const ipv4Prefix = '10.8.0.';
const ipv6Prefix = 'fdcc:ad94:bacf:61a4::cafe:';

const defaults: ClientSettings = {
  preUp: '',
  postUp: '',
  preDown: '',
  postDown: '',
  allowedIps: null,
  serverAllowedIps: [],
  firewallIps: null,
  persistentKeepalive: 0,
  mtu: 1420,
  jC: 7,
  jMin: 10,
  jMax: 1000,
  i1: null,
  i2: null,
  i3: null,
  i4: null,
  i5: null,
  dns: null,
  serverEndpoint: null,
};

/** Stores a client with the first free address; `null` if the pool is full. Does not update the interface. */
export function addClient(state: State, name: unknown, expiresAt: string | null = null): Client | null {
  const host = firstFreeHost(state);
  if (host === null) return null;
  const now = state.now();
  const client: Client = {
    id: state.dialect === '14' ? randomUUID() : state.nextId++,
    name,
    ...newKeyPair(),
    preSharedKey: newPresharedKey(),
    ipv4Address: `${ipv4Prefix}${host}`,
    ipv6Address: `${ipv6Prefix}${host.toString(16)}`,
    enabled: true,
    expiresAt,
    createdAt: now,
    updatedAt: now,
    settings: structuredClone(defaults),
  };
  state.clients.push(client);
  return client;
}

function firstFreeHost(state: State): number | null {
  const taken = new Set(state.clients.map((client) => client.ipv4Address));
  for (let host = firstHost; host <= lastHost; host += 1) {
    if (!taken.has(`${ipv4Prefix}${host}`)) return host;
  }
  return null;
}

export function findClient(state: State, id: number | string): Client | null {
  return state.clients.find((client) => client.id === id) ?? null;
}

/** Removes a client; returns whether it existed. */
export function removeClient(state: State, id: number | string): boolean {
  const before = state.clients.length;
  state.clients = state.clients.filter((client) => client.id !== id);
  return state.clients.length < before;
}

export function changeClient(state: State, client: Client, change: Partial<Client>) {
  Object.assign(client, change, { updatedAt: state.now() });
}

/** Updates the interface from the stored clients; false if it cannot be updated. */
export function syncInterface(state: State): boolean {
  if (state.interfaceGone || !state.clients.every((client) => fitsConfigurationFile(client.name))) return false;
  const handshakes = new Map(state.live.map(({ publicKey, handshakeAt }) => [publicKey, handshakeAt]));
  state.live = state.clients
    .filter((client) => client.enabled)
    .map(({ publicKey, ipv4Address: address }) => {
      return { publicKey, address, handshakeAt: handshakes.get(publicKey) ?? null };
    });
  state.configure(interfaceText(state));
  return true;
}

function interfaceText({ server, endpoint, clients }: State): string {
  const peers = clients
    .filter((client) => client.enabled)
    .flatMap(({ publicKey, preSharedKey, ipv4Address }) => [
      ...['[Peer]', `PublicKey = ${publicKey}`, `PresharedKey = ${preSharedKey}`, `AllowedIPs = ${ipv4Address}/32`],
    ]);
  return ['[Interface]', `PrivateKey = ${server.privateKey}`, `ListenPort = ${endpoint.port}`, ...peers, ''].join('\n');
}

/**
 * Names are written unescaped into a comment of the configuration file. A newline in a name adds lines: comments,
 * sections and settings are valid, other text breaks the file.
 */
function fitsConfigurationFile(name: unknown): boolean {
  if (typeof name !== 'string') return true;
  const [, ...more] = name.split('\n');
  return more.every((line) => /^\s*($|#|\[(Interface|Peer)\]\s*$|\w+\s*=)/i.test(line));
}

/** Disables expired clients, like the job that runs every minute. */
export function runExpiryJob(state: State) {
  const now = state.now();
  state.lastExpiryRun = now;
  const over = state.clients.filter((one) => one.enabled && one.expiresAt !== null && Date.parse(one.expiresAt) < now);
  for (const client of over) changeClient(state, client, { enabled: false });
  if (over.length > 0) syncInterface(state);
}
