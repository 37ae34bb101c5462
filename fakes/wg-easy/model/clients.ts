import { randomUUID } from 'node:crypto';
import { newKeyPair, newPresharedKey } from './keys.ts';
import type { Client, ClientSettings, State } from './state.ts';

/** Hosts of the /24 that are handed out; .1 is the server. */
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

/** Stores a client under the first free address; null when there is none. The interface is not told. */
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

/** Its address is free from here on. Whether there was one. */
export function removeClient(state: State, id: number | string): boolean {
  const before = state.clients.length;
  state.clients = state.clients.filter((client) => client.id !== id);
  return state.clients.length < before;
}

export function changeClient(state: State, client: Client, change: Partial<Client>) {
  Object.assign(client, change, { updatedAt: state.now() });
}

/** Brings the interface in line with what is stored; false when it cannot be, and stays as it was. */
export function syncInterface(state: State): boolean {
  if (state.interfaceGone || !state.clients.every((client) => fitsConfigurationFile(client.name)))
    return false;
  const handshakes = new Map(state.live.map(({ publicKey, handshakeAt }) => [publicKey, handshakeAt]));
  state.live = state.clients
    .filter((client) => client.enabled)
    .map(({ publicKey, ipv4Address: address }) => {
      return { publicKey, address, handshakeAt: handshakes.get(publicKey) ?? null };
    });
  return true;
}

/**
 * Names are written unescaped into a comment of the interface's configuration file, so the lines after a newline
 * are read as configuration: comments, sections and settings pass, anything else makes the file unreadable.
 */
function fitsConfigurationFile(name: unknown): boolean {
  if (typeof name !== 'string') return true;
  const [, ...more] = name.split('\n');
  return more.every((line) => /^\s*($|#|\[(Interface|Peer)\]\s*$|\w+\s*=)/i.test(line));
}

/** Clients whose time is over are disabled, by a job that runs every minute. */
export function runExpiryJob(state: State) {
  const now = state.now();
  state.lastExpiryRun = now;
  const over = state.clients.filter(
    (one) => one.enabled && one.expiresAt !== null && Date.parse(one.expiresAt) < now,
  );
  for (const client of over) changeClient(state, client, { enabled: false });
  if (over.length > 0) syncInterface(state);
}
