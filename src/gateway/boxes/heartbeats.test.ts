import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreFailed } from '../ports.ts';
import { makeTestEnvironment, settled, type TestEnvironment } from '../testing/test-gateway.ts';
import { makeHeartbeats } from './heartbeats.ts';

const source = { address: '192.0.2.1', boot: '' };

/** Heartbeats with a store that records its calls. */
function makeNoting({ clock, warnings }: TestEnvironment) {
  const statements: Map<string, number>[] = [];
  const copies: unknown[] = [];
  const noting = { statements, copies, fails: false, gate: Promise.resolve() };
  const store = {
    async touchBoxes(seen: ReadonlyMap<string, number>) {
      await noting.gate;
      if (noting.fails) throw new StoreFailed('the disk is full');
      statements.push(new Map(seen));
    },
    noteCopy: async (...copy: unknown[]) => void copies.push(copy),
  };
  const heartbeats = makeHeartbeats({
    store: store as never,
    now: () => clock.ms,
    pause: clock.pause,
    warn: (text) => void warnings.push(text),
  });
  return { noting, statements, heartbeats };
}

test('choice/gateway/65: writes heartbeats of a few seconds in one statement, with the last time of each box', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { statements, heartbeats } = makeNoting(environment);
  const start = environment.clock.ms;
  heartbeats.touch('a', source);
  heartbeats.touch('b', source);
  await environment.clock.pass(1000);
  heartbeats.touch('a', source);
  await settled();
  assert.deepEqual(statements, []);
  await environment.clock.pass(2000);
  const expected = new Map([
    ['a', start + 1000],
    ['b', start],
  ]);
  assert.deepEqual(statements, [expected]);
});

test('writes nothing without heartbeats', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { statements, heartbeats } = makeNoting(environment);
  heartbeats.touch('a', source);
  await environment.clock.pass(3000);
  for (let i = 0; i < 5; i += 1) await environment.clock.pass(3000);
  assert.equal(statements.length, 1);
});

test('choice/gateway/108: a flush writes the remaining heartbeats, and none twice', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { statements, heartbeats } = makeNoting(environment);
  heartbeats.touch('a', source);
  await heartbeats.flush();
  await environment.clock.pass(3000);
  await heartbeats.flush();
  assert.equal(statements.flatMap((seen) => [...seen]).length, 1);
});

test('keeps heartbeats if the store fails, and warns once', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { noting, statements, heartbeats } = makeNoting(environment);
  const start = environment.clock.ms;
  noting.fails = true;
  heartbeats.touch('a', source);
  heartbeats.touch('b', source);
  await environment.clock.pass(3000);
  heartbeats.touch('b', source);
  await environment.clock.pass(3000);
  assert.deepEqual(environment.warnings, ['heartbeats could not be written: the disk is full']);
  noting.fails = false;
  await environment.clock.pass(3000);
  const expected = new Map([
    ['a', start],
    ['b', start + 3000],
  ]);
  assert.deepEqual(statements, [expected]);
});

test('a heartbeat during a failing write replaces the older one', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { noting, statements, heartbeats } = makeNoting(environment);
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(noting, { fails: true, gate: promise });
  heartbeats.touch('a', source);
  const flushed = heartbeats.flush();
  await environment.clock.pass(1000);
  heartbeats.touch('a', source);
  const newest = environment.clock.ms;
  resolve();
  await flushed;
  noting.fails = false;
  await heartbeats.flush();
  assert.deepEqual(statements, [new Map([['a', newest]])]);
});

test('heartbeats of one box from two machines in turn are noted, those of two boxes are not', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { noting, heartbeats } = makeNoting(environment);
  const other = { address: '192.0.2.2', boot: '' };
  for (const from of [source, other, source]) {
    heartbeats.touch(from === source ? 'a' : 'b', from);
    heartbeats.touch('c', from);
  }
  assert.deepEqual(noting.copies, [['c', { from: '192.0.2.1 and 192.0.2.2', at: environment.clock.ms }]]);
});
