import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQueue } from '../../../lib/queue.ts';
import { StoreFailed, TunnelFailed } from '../../ports.ts';
import { makeTunnelLock } from './tunnel-manager-lock.ts';

const limits = { waiting: 3, waitMs: 60_000 };
const busy = (phrase: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TunnelFailed, String(error));
  assert.match(error.message, phrase);
  assert.equal(error.peerMayRemain, false);
  return true;
};

function makeGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { closed: promise, open: resolve };
}

test('runs one piece of work at a time, over all users of the store', async () => {
  const store = { exclusively: makeQueue() };
  const takers = [makeTunnelLock(store, limits), makeTunnelLock(store, limits)];
  let atOnce = 0;
  let most = 0;
  const work = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
  };
  await Promise.all(takers.flatMap((locked) => [locked(work), locked(work), locked(work)]));
  assert.equal(most, 1);
});

test('returns the result of the work, or its error', async () => {
  const locked = makeTunnelLock({ exclusively: makeQueue() }, limits);
  assert.equal(await locked(async () => 7), 7);
  const failure = new StoreFailed('no');
  await assert.rejects(
    locked(() => Promise.reject(failure)),
    failure,
  );
});

test('choice/gateway/48: a call beyond the limit of waiting calls fails at once', async () => {
  const locked = makeTunnelLock({ exclusively: makeQueue() }, limits);
  const gate = makeGate();
  const taken = [1, 2, 3].map(() => locked(() => gate.closed));
  await assert.rejects(
    locked(async () => assert.fail('not begun')),
    busy(/^busy \(3 requests wait for it already\)/),
  );
  gate.open();
  await Promise.all(taken);
  await locked(async () => {});
});

test('choice/gateway/48: a call that waits too long fails, its work never starts, and other calls continue', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = { exclusively: makeQueue() };
  const locked = makeTunnelLock(store, { waiting: 3, waitMs: 8000 });
  const gate = makeGate();
  const elsewhere = store.exclusively(() => gate.closed);
  const late = locked(async () => assert.fail('begun'));
  t.mock.timers.tick(7999);
  const behind = locked(async () => 'done');
  t.mock.timers.tick(1);
  await assert.rejects(late, busy(/^busy \(no turn within 8 s\)/));
  gate.open();
  await elsewhere;
  assert.equal(await behind, 'done');
});

test('work that has started is not aborted, however long it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const locked = makeTunnelLock({ exclusively: makeQueue() }, { waiting: 3, waitMs: 8000 });
  const begun = makeGate();
  const gate = makeGate();
  const slow = locked(async () => {
    begun.open();
    await gate.closed;
    return 'done';
  });
  await begun.closed;
  t.mock.timers.tick(9000);
  gate.open();
  assert.equal(await slow, 'done');
});
