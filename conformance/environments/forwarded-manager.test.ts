import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FaultKind } from '../../fakes/wg-easy/faults.ts';
import { type Dialect, dialects } from '../../fakes/wg-easy/model/dialect.ts';
import { startWgEasy, type WgEasy } from '../../fakes/wg-easy/wg-easy.ts';
import { NotApplicable } from '../kernel/check.ts';
import { InvalidOption } from '../kernel/invalid-option.ts';
import { forwardManager } from './forwarded-manager.ts';
import { openOperatorManager } from './operator-manager.ts';

const paths: Record<Dialect, [login: string, clients: string]> = {
  '14': ['/api/session', '/api/wireguard/client'],
  '15.4': ['/api/auth/password', '/api/client'],
};

/** Starts a manager, the forwarding port of an environment, and a client for each. */
async function openBoth(context: TestContext, dialect: Dialect) {
  const theirs = await startWgEasy({ dialect, username: 'warden', loginMs: 1, mutationMs: 1 });
  context.after(() => theirs.close());
  theirs.add('laptop');
  const foreign = await openOperatorManager(theirs);
  const manager = await forwardManager(foreign);
  context.after(() => manager.stop());
  return { theirs, foreign, manager, ...clientOf(manager, dialect) };
}

function clientOf(manager: WgEasy, dialect: Dialect) {
  const [login, clients] = paths[dialect];
  let cookie = '';
  const ask = (method: string, path: string, body?: object) =>
    fetch(manager.url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const logIn = async () => {
    const { username, password } = manager;
    const answer = await ask('POST', login, { username, password, remember: false });
    cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    return answer.status;
  };
  const create = (name: string) => ask('POST', clients, { name, expiresAt: null });
  return { ask, logIn, create, list: () => ask('GET', clients) };
}

const namesOf = (manager: Pick<WgEasy, 'clients'>) => manager.clients().map(({ name }) => name);

for (const dialect of dialects) {
  test(`forwards requests of a gateway to a manager of version ${dialect}, and lists its clients`, async (context) => {
    const { theirs, foreign, manager, logIn, create } = await openBoth(context, dialect);
    assert.deepEqual(namesOf(manager), [], 'who was there before is not seen');
    assert.equal(await logIn(), 200);
    for (const name of ['b', 'a', 'c']) assert.equal((await create(name)).status, 200);
    assert.deepEqual(namesOf(manager), ['b', 'a', 'c']);
    assert.ok(manager.clients().every(({ live, enabled, address }) => live && enabled && address !== ''));
    const { logins, mutations, unknown } = manager.counters();
    assert.deepEqual({ logins, mutations, unknown }, { logins: 1, mutations: 3, unknown: [] });
    const [first] = manager.clients();
    await foreign.remove(first?.id ?? '');
    theirs.add('phone');
    await create('d');
    assert.deepEqual(namesOf(manager).sort(), ['a', 'c', 'd', 'phone']);
    await manager.close();
    await manager.close();
    assert.deepEqual(namesOf(theirs), ['laptop', 'phone'], 'only what came through the world is taken away');
  });
}

test('logs in again after its session has expired', async (context) => {
  const { theirs, foreign } = await openBoth(context, '14');
  theirs.loseSessions();
  assert.deepEqual(
    (await foreign.clients()).map(({ name }) => name),
    ['laptop'],
  );
});

test('stops and starts at the same address', async (context) => {
  const { manager, list, logIn } = await openBoth(context, '15.4');
  await logIn();
  await manager.stop();
  await assert.rejects(list());
  await manager.start();
  assert.equal((await list()).status, 200);
  await manager.close();
});

const faults: [kind: FaultKind, stored: boolean, answer: RegExp | 'none'][] = [
  ['fail-before', false, /^500 \{/],
  ['fail-after', true, /^500 \{/],
  ['html', false, /^503 <!doctype/],
  ['html-after', true, /^503 <!doctype/],
  ['broken-json', true, /^200 \{[^}]*$/],
  ['wrong-shape', true, /^200 \{"ok":"yes"\}$/],
  ['empty-list', true, /^200 \[\]$/],
  ['slow', true, /^200 \{.*\}$/],
  ['drop-before', false, 'none'],
  ['drop-after', true, 'none'],
];

for (const [kind, stored, expected] of faults) {
  test(`injects ${kind}, which the manager does not know`, async (context) => {
    const { manager, logIn, create } = await openBoth(context, '15.4');
    await logIn();
    const fault = manager.faults.script({ kind, on: 'create', delayMs: 1, status: 503 });
    const answer = create('x').then(async (one) => `${one.status} ${await one.text()}`);
    if (expected === 'none') await assert.rejects(answer);
    else assert.match(await answer, expected);
    assert.equal(fault.struck(), 1);
    assert.deepEqual(namesOf(manager), stored ? ['x'] : []);
    assert.equal((await create('y')).status, 200, 'it strikes once');
  });
}

test('reports operations that are impossible from outside as not applicable', async (context) => {
  const { foreign, manager } = await openBoth(context, '15.4');
  for (const wish of [
    () => manager.dialect,
    () => manager.add('x'),
    () => manager.fillPool(),
    () => manager.requireTotp(),
    () => manager.faults.script({ kind: 'lag', on: 'create' }),
    () => manager.faults.script({ kind: 'logged-out-after', on: 'create' }),
  ])
    assert.throws(wish, NotApplicable);
  await assert.rejects(forwardManager(foreign, { dialect: '14' }), NotApplicable);
});

test('a wrong password or another server than wg-easy is an invalid option', async (context) => {
  const theirs = await startWgEasy({ dialect: '15.4' });
  context.after(() => theirs.close());
  const { url, username } = theirs;
  const wrong = openOperatorManager({ url, username, password: 'not the one' });
  await assert.rejects(wrong, (error) => error instanceof InvalidOption && /^--tunnel: http/.test(error.message));
  const nobody = openOperatorManager({ url: 'http://127.0.0.1:1', username, password: 'x' });
  await assert.rejects(nobody, InvalidOption);
});
