/** A whole gateway in memory for tests of the use cases. Tests can make its parts fail. */

import type { TestContext } from 'node:test';
import { ignore } from '../../lib/ignore.ts';
import type { ChangeEntry } from '../../lib/journal.ts';
import { makeHeartbeats } from '../boxes/heartbeats.ts';
import { makeRefusedTokens } from '../boxes/refused-tokens.ts';
import type { Gateway } from '../gateway.ts';
import {
  type Box,
  type GatewayPorts,
  type PeerState,
  type RouteFiles,
  RouteFilesFailed,
  type Store,
  StoreFailed,
  TunnelFailed,
  type TunnelManager,
} from '../ports.ts';
import { Refusal } from '../refusals.ts';
import { makeRouteFileSync } from '../routes/route-file-sync.ts';
import { makeInvalidFileReports } from '../routes/unmanaged-files.ts';
import { isPeerOf } from '../rules/ids.ts';
import { makeRegistrationGuard } from '../rules/registration-guard.ts';
import { openMemoryStore } from '../store/sqlite/memory.ts';
import { hashOf, newBoxToken } from '../tokens.ts';

export type Terms = Pick<Gateway, 'mode' | 'boxToken' | 'boxLimit' | 'routeLimit' | 'reservedSubdomains' | 'domain'>;

const usualTerms: Terms = {
  mode: 'single',
  boxToken: 'the registration token',
  boxLimit: 3,
  routeLimit: 3,
  reservedSubdomains: ['vpn'],
  domain: 'example.org',
};

/** Everything that survives a kill: the store, the tunnel manager's peers, the files. */
export type TestEnvironment = {
  store: Store;
  tunnels: MemoryTunnels;
  files: MemoryFiles;
  clock: Clock;
  warnings: string[];
  changes: ChangeEntry[];
};

export type TestGateway = Gateway & { environment: TestEnvironment };

export async function makeTestEnvironment(t: TestContext): Promise<TestEnvironment> {
  const store = await openMemoryStore();
  t.after(() => store.close());
  return {
    store,
    tunnels: makeMemoryTunnels(),
    files: makeMemoryFiles(),
    clock: makeClock(),
    warnings: [],
    changes: [],
  };
}

/** A gateway in a new environment, or in that of a killed gateway. */
export async function makeTestGateway(
  t: TestContext,
  options: { terms?: Partial<Terms>; environment?: TestEnvironment; ports?: Partial<GatewayPorts> } = {},
): Promise<TestGateway> {
  const environment = options.environment ?? (await makeTestEnvironment(t));
  const ports: GatewayPorts = {
    store: environment.store,
    tunnelManager: environment.tunnels,
    routeFiles: environment.files,
    now: () => environment.clock.ms,
    pause: environment.clock.pause,
    warn: (text) => void environment.warnings.push(text),
    journal: (entry) => void environment.changes.push(entry),
    ...options.ports,
  };
  const terms = { ...usualTerms, ...options.terms };
  return {
    ...ports,
    ...terms,
    routeFileSync: makeRouteFileSync(
      ports,
      { domain: terms.domain, entrypoint: 'websecure', certResolver: null },
      makeInvalidFileReports(ports),
    ),
    heartbeats: makeHeartbeats(ports),
    guard: makeRegistrationGuard(),
    refusedTokens: makeRefusedTokens(ports),
    environment,
  };
}

/** A clock that a test advances; `pass` ends the pauses that are over. */
export type Clock = { ms: number; pause(ms: number): Promise<void>; pass(ms: number): Promise<void> };

function makeClock(): Clock {
  const waiting = new Set<{ at: number; wake(): void }>();
  const clock: Clock = {
    ms: 1_000_000,
    pause: (ms) => new Promise((wake) => waiting.add({ at: clock.ms + ms, wake })),
    async pass(ms) {
      clock.ms += ms;
      for (const one of waiting) {
        if (one.at > clock.ms) continue;
        waiting.delete(one);
        one.wake();
      }
      await settled();
    },
  };
  return clock;
}

/** Waits until all pending callbacks except timers have run. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
}

/** A tunnel manager in memory. Its calls throw `fails`; `failsAfterCreate` lets a failing create leave a peer. */
export type MemoryTunnels = TunnelManager & {
  peers: PeerState[];
  fails: TunnelFailed | null;
  failsAfterCreate: boolean;
  names(): string[];
};

function makeMemoryTunnels(): MemoryTunnels {
  let last = 1;
  const tunnels: MemoryTunnels = {
    peers: [],
    fails: null,
    failsAfterCreate: false,
    names: () => tunnels.peers.map(({ name }) => name),
    async createPeer(name) {
      if (tunnels.fails !== null && !tunnels.failsAfterCreate) throw tunnels.fails;
      last += 1;
      const peer = { id: String(last), name, publicKey: `key ${last}`, address: `10.8.0.${last}` };
      const { address, publicKey } = peer;
      tunnels.peers.push({ name, publicKey, address, enabled: true, expiresAt: null, lastHandshakeAt: null });
      if (tunnels.fails !== null) throw tunnels.fails;
      return { ...peer, config: `[Interface]\nAddress = ${peer.address}/24\n` };
    },
    async removePeers(removed) {
      if (tunnels.fails !== null) throw tunnels.fails;
      const before = tunnels.peers.length;
      tunnels.peers = tunnels.peers.filter((peer) => !isPeerOf(removed, peer));
      return before - tunnels.peers.length;
    },
    listPeers: async () => tunnels.peers,
    findMistake: async () => null,
    wasUsed: () => last > 1,
  };
  return tunnels;
}

/** Route files in memory, by box. Writes throw `fails`. */
export type MemoryFiles = RouteFiles & { texts: Map<string, string>; fails: RouteFilesFailed | null; puts: number };

function makeMemoryFiles(): MemoryFiles {
  const files: MemoryFiles = {
    texts: new Map(),
    fails: null,
    puts: 0,
    async put(boxId, text) {
      await undefined;
      if (files.fails !== null) throw files.fails;
      files.puts += 1;
      if (text === null) files.texts.delete(boxId);
      else files.texts.set(boxId, text);
    },
    list: async () => [...files.texts.keys()],
    read: async (boxId) => files.texts.get(boxId) ?? null,
    invalidFiles: async () => [],
  };
  return files;
}

/** A store whose methods fail while their names are in `broken`. */
export function breakable(store: Store): { store: Store; broken: Set<keyof Store> } {
  const broken = new Set<keyof Store>();
  const breaking = new Proxy(store, {
    get(target, name: keyof Store) {
      if (broken.has(name)) return () => Promise.reject(new StoreFailed(`no ${name}`));
      return target[name];
    },
  });
  return { store: breaking, broken };
}

/** Adds a live box without using the API. */
export async function addBox(gateway: TestGateway, name: string): Promise<{ box: Box; token: string }> {
  const { store, tunnels } = gateway.environment;
  const id = `box_${name}`;
  const peerName = `boxgate-${id}`;
  await store.insertPendingBox({ id, name, peerName, createdAt: gateway.now() }, 1000, gateway.now() + 60_000);
  const { id: peerId, publicKey: peerKey, address } = await tunnels.createPeer(peerName);
  const token = newBoxToken();
  await store.activateBox(id, { tokenHash: hashOf(token), peerId, peerKey, address });
  return { box: { id, accountId: store.accountId }, token };
}

/** The name of the refusal that a work ends with; `none` if it succeeds. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    ignore(Refusal, ({ refusal }) => refusal),
  );
}

export const full = new RouteFilesFailed('the routes directory is on a disk that is full', '/routes/a.tmp');
export const unreachable = new TunnelFailed('not reachable', { peerMayRemain: false });
