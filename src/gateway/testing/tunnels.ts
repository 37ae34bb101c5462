/** Set-up for tests of the tunnel manager: a fake wg-easy, adapters to it, and a reverse proxy in between. */

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { startWgEasy, type WgEasy, type WgEasyOptions } from '../../../fakes/wg-easy/wg-easy.ts';
import { makeQueue } from '../../lib/queue.ts';
import { makeTunnelManager, type TunnelManagerOptions } from '../adapters/wg-easy/tunnel-manager.ts';
import { TunnelFailed } from '../ports.ts';

/** The methods of a store that a tunnel manager needs, in memory. All adapters of a test share them. */
export function sharedStore(now = () => 0) {
  const exclusively = makeQueue();
  let session: Uint8Array | null = null;
  let loginBegunAt: number | null = null;
  return {
    exclusively,
    readSession: async () => session,
    writeSession: async (sealed: Uint8Array | null) => {
      session = sealed;
      loginBegunAt = null;
    },
    noteLogin: async (what: 'begins' | 'has ended') => {
      loginBegunAt = what === 'begins' ? now() : null;
    },
    openLoginMs: async () => (loginBegunAt === null ? null : now() - loginBegunAt),
  };
}

/** A fake manager, and adapters that share a store and a clock that the test sets. */
export async function setUpTunnels(t: TestContext, fake: WgEasyOptions, usual: Partial<TunnelManagerOptions> = {}) {
  const manager = await startWgEasy(fake);
  t.after(() => manager.close());
  const clock = { ms: 0 };
  const store = sharedStore(() => clock.ms);
  const open = (options: Partial<TunnelManagerOptions> = {}) =>
    makeTunnelManager({
      url: manager.url,
      username: manager.username,
      password: manager.password,
      store,
      now: () => clock.ms,
      pause: async () => undefined,
      keyCost: 16,
      ...usual,
      ...options,
    });
  return { manager, store, clock, open, tunnels: open() };
}

export type Way = {
  target: string;
  prefix?: string;
  dropsCookies?: boolean;
  /** Called for every response before it is forwarded. */
  onAnswer?: (method: string) => void;
};

/** A reverse proxy whose target and faults a test can change. */
export async function startProxy(t: TestContext, way: Way): Promise<{ url: string; way: Way }> {
  const server = createServer((incoming, outgoing) => forward(way, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, way };
}

function forward(way: Way, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { target, prefix = '', dropsCookies = false } = way;
  const path = incoming.url ?? '/';
  if (!path.startsWith(prefix)) {
    outgoing.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
    return;
  }
  const { cookie, ...others } = incoming.headers;
  const headers = dropsCookies || cookie === undefined ? others : { ...others, cookie };
  const inner = request(target + path.slice(prefix.length), { method: incoming.method, headers, agent: false });
  inner.on('response', (answer) => {
    way.onAnswer?.(incoming.method ?? '');
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  inner.on('error', () => outgoing.destroy());
  incoming.pipe(inner);
}

/** A peer that only its name tells, as one whose creation failed. */
export const named = (peerName: string) => ({ peerName, peerKey: null });

export function namesAt(manager: WgEasy): unknown[] {
  return manager.clients().map(({ name }) => name);
}

/** Checks after a failed create of `a`: only the earlier peer exists, and the create was sent once. */
export function assertOnlyBefore(manager: WgEasy): void {
  assert.deepEqual(namesAt(manager), ['before']);
  assert.deepEqual(
    manager.live().map(({ address }) => address),
    ['10.8.0.2'],
  );
  assert.equal(manager.log().filter(({ name }) => name === 'a').length, 1);
}

export function countLogins(manager: WgEasy): number {
  return manager.counters().logins;
}

/** Checks that the manager never had two requests at the same time. */
export function assertOneAtATime(manager: WgEasy): void {
  assert.equal(manager.counters().maxInFlight, 1);
  assert.equal(manager.collisions(), 0);
}

/** The phrase of a rejection, and whether a peer may remain. */
export async function failureOf(promise: Promise<unknown>): Promise<{ phrase: string; peerMayRemain: boolean }> {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof TunnelFailed, String(error));
  return { phrase: error.message, peerMayRemain: error.peerMayRemain };
}

/**
 * Replaces the time limit of a call by one that the test ends, because a machine may be slow. Affects the whole process,
 * so no other test may run at the same time. @returns a function that ends the limit of the last call with this limit
 */
export function timeOfCalls(t: TestContext, callMs: number): () => void {
  const { setTimeout } = globalThis;
  let end = () => assert.fail('no call was given its time');
  t.mock.method(globalThis, 'setTimeout', (work: () => never, ms: number) => {
    if (ms === callMs) end = work;
    return setTimeout(work, ms);
  });
  return () => end();
}
