import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreFailed } from '../../ports.ts';
import { sharedStore } from '../../testing/tunnels.ts';
import { makeSessionKeeper } from './session-keeper.ts';
import { makeSeal } from './session-seal.ts';
import type { WgEasy } from './wg-easy.ts';
import { WgEasyError } from './wg-easy-error.ts';

const budget = () => 1000;
const seal = makeSeal('throw-away-Passw0rd', 'here');

/** The login part of a fake wg-easy; counts logins. */
function countingWgEasy() {
  const made = { logins: 0 };
  const unused = async () => assert.fail('unexpected call');
  const wgEasy: WgEasy = {
    detect: async () => ({ dialect: '15.4', asksForPassword: true }),
    login: async () => {
      made.logins += 1;
      return { dialect: '15.4', cookie: `wg-easy=${made.logins}` };
    },
    create: unused,
    list: unused,
    configuration: unused,
    remove: unused,
  };
  return { wgEasy, made };
}

function setUp(store = sharedStore()) {
  const { wgEasy, made } = countingWgEasy();
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const parts = { wgEasy, seal, store, now: () => 0, pause };
  return {
    store,
    made,
    wgEasy,
    pauses,
    open: () => makeSessionKeeper(parts),
  };
}

test('is made once and shared by all processes and later runs', async () => {
  const { open, made } = setUp();
  const first = open();
  assert.deepEqual(await first.session(budget), { session: { dialect: '15.4', cookie: 'wg-easy=1' }, isNew: true });
  for (const keeper of [first, open()]) {
    assert.deepEqual(await keeper.session(budget), { session: { dialect: '15.4', cookie: 'wg-easy=1' }, isNew: false });
  }
  assert.equal(made.logins, 1);
});

test('is taken from the process that logged in last', async () => {
  const { open } = setUp();
  const [one, other] = [open(), open()];
  await one.session(budget);
  await other.session(budget);
  await other.login(budget);
  assert.equal((await one.session(budget)).session.cookie, 'wg-easy=2');
});

test('choice/gateway/332: a reader waits for a login in progress, logs in and leaves the store unchanged', async () => {
  const store = sharedStore();
  await store.noteLogin('begins');
  const ignored = async () => undefined;
  const { open, made, pauses } = setUp({ ...store, writeSession: ignored, noteLogin: ignored });
  await open().session(budget);
  assert.equal(made.logins, 1);
  assert.deepEqual([pauses.length, await store.readSession()], [1, null]);
  assert.ok((pauses[0] ?? 0) > 0);
  assert.notEqual(await store.openLoginMs(), null);
});

test('is stored only in sealed form', async () => {
  const { open, store } = setUp();
  await open().session(budget);
  assert.equal(Buffer.from((await store.readSession()) ?? assert.fail()).includes('wg-easy'), false);
});

for (const [name, stored] of [
  ['damaged', new Uint8Array(80)],
  ['of a later version', await seal.seal('{"dialect":"16","cookie":"wg-easy=1"}')],
  ['of another form', await seal.seal('{"dialect":"15.4","cookie":7}')],
  ['no object', await seal.seal('"x"')],
] as const) {
  test(`a stored session that is ${name} causes a login`, async () => {
    const { open, store, made } = setUp();
    await store.writeSession(stored);
    assert.equal((await open().session(budget)).isNew, true);
    assert.equal(made.logins, 1);
  });
}

for (const [fault, waits] of [
  ['timeout', [3800]],
  ['lost', [3800]],
  ['unavailable', [3800]],
  ['wrongPassword', []],
  ['locked', []],
] as const) {
  test(`a login that ended as ${fault} is followed by the next after ${waits[0] ?? 0} ms`, async () => {
    let ms = 0;
    const { open, wgEasy, pauses } = setUp(sharedStore(() => ms));
    const { login } = wgEasy;
    wgEasy.login = async () => Promise.reject(new WgEasyError(fault, fault));
    await assert.rejects(open().session(budget), WgEasyError);
    assert.deepEqual(pauses, []);
    wgEasy.login = login;
    ms = 1200;
    const next = open();
    await next.session(budget);
    assert.deepEqual(pauses, waits);
    await next.login(budget);
    assert.deepEqual(pauses, waits, 'a login that was answered is none to wait for');
  });
}

test('waits for the login of a killed process before its own', async () => {
  const { store, open, wgEasy, pauses } = setUp();
  wgEasy.login = () => new Promise(() => undefined);
  void open().session(budget);
  while ((await store.openLoginMs()) === null) await new Promise(setImmediate);
  const { open: openElsewhere, pauses: waits } = setUp(store);
  await openElsewhere().session(budget);
  assert.deepEqual([pauses, waits], [[], [5000]]);
});

test('a clock that was set back does not prolong the wait', async () => {
  const { store, open, pauses } = setUp();
  store.openLoginMs = async () => -60_000;
  await open().session(budget);
  assert.deepEqual(pauses, [5000]);
});

test('stays in memory if the store cannot save it', async () => {
  const store = sharedStore();
  const write = store.writeSession;
  store.writeSession = async () => {
    throw new StoreFailed('the disk is full');
  };
  const { open, made } = setUp(store);
  const keeper = open();
  await assert.rejects(keeper.session(budget), StoreFailed);
  assert.equal((await keeper.session(budget)).session.cookie, 'wg-easy=1');
  store.writeSession = write;
  await keeper.login(budget);
  assert.equal((await open().session(budget)).session.cookie, 'wg-easy=2');
  assert.equal(made.logins, 2);
});
