import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FaultKind } from './faults.ts';
import { type Dialect, dialects } from './model/dialect.ts';
import { ask } from './replay/ask.ts';
import { startWgEasy, type WgEasy, type WgEasyOptions } from './wg-easy.ts';

/** The faults and conditions of the fake, seen from outside. */
let manager: WgEasy;
let cookie = '';
afterEach(() => manager.close());

/** Work waits until as many requests came, so that those that are meant to meet do. */
let awaited = 0;
afterEach(() => {
  awaited = 0;
});

/** A running fake and a session of it, with nothing counted yet. */
async function open(options: WgEasyOptions = {}) {
  const pause = () => until('they met', () => manager.counters().requests >= awaited);
  manager = await startWgEasy({ pause, ...options });
  cookie = await logIn();
  manager.resetTraffic();
}

/** The statuses of requests that are in flight together. */
function atOnce(...sends: (() => Promise<{ status: number }>)[]): Promise<number[]> {
  awaited = manager.counters().requests + sends.length;
  return Promise.all(sends.map((sending) => statusOf(sending())));
}

async function logIn(): Promise<string> {
  const [set = ''] = [(await login()).headers['set-cookie'] ?? []].flat();
  return set.split(';', 1)[0] ?? '';
}

const send = (method: string, path: string, body: object | null = null) => {
  const headers = { cookie, 'content-type': 'application/json' };
  return ask(manager.url, { method, path, headers, body: body && JSON.stringify(body) });
};
const login = (password = manager.password) =>
  send('POST', manager.dialect === '15.4' ? '/api/auth/password' : '/api/session', {
    username: manager.username,
    password,
    remember: false,
  });
const clients = () => (manager.dialect === '14' ? '/api/wireguard/client' : '/api/client');
const list = () => send('GET', clients());
const create = (name: string) => send('POST', clients(), { name, expiresAt: null });
const remove = (id: number | string) => send('DELETE', `${clients()}/${id}`);
const names = () => manager.clients().map((client) => client.name);
async function until(what: string, holds: () => boolean) {
  const end = Date.now() + 5000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`not within 5 s: ${what}`);
    await turn();
  }
}
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

for (const dialect of dialects) {
  describe(`a fault of wg-easy ${dialect}`, () => {
    const kinds: { kind: FaultKind; answer: RegExp | 'none'; stored: boolean }[] = [
      { kind: 'fail-before', answer: /^500 .*"statusCode": 500/s, stored: false },
      { kind: 'fail-after', answer: /^500 .*"statusCode": 500/s, stored: true },
      { kind: 'lag', answer: /^500 .*"statusCode": 500/s, stored: true },
      { kind: 'drop-before', answer: 'none', stored: false },
      { kind: 'drop-after', answer: 'none', stored: true },
      { kind: 'slow', answer: /^200 \{"success":true/, stored: true },
      { kind: 'html', answer: /^200 <!doctype html>/, stored: false },
      { kind: 'broken-json', answer: /^200 \{"succe[^}]*$/, stored: true },
      { kind: 'wrong-shape', answer: /^200 \{"ok":"yes"\}$/, stored: true },
      { kind: 'empty-list', answer: /^200 \[\]$/, stored: true },
    ];
    for (const { kind, answer, stored } of kinds) {
      test(`${kind} strikes one create, and is counted`, async () => {
        await open({ dialect });
        const fault = manager.faults.script({ kind, on: 'create', delayMs: 1 });
        const struck = create('struck').then(({ status, body }) => `${status} ${body}`);
        if (answer === 'none') await assert.rejects(struck, /socket hang up|ECONNRESET/);
        else assert.match(await struck, answer);
        assert.equal(fault.struck(), 1);
        assert.deepEqual(names(), stored ? ['struck'] : []);
        assert.equal(manager.log().at(-1)?.fault, kind);
        assert.equal(await statusOf(create('after')), 200);
        assert.equal(fault.struck(), 1);
      });
    }

    for (const kind of ['hang-before', 'hang-after'] as const) {
      test(`${kind} never answers`, async () => {
        await open({ dialect });
        const fault = manager.faults.script({ kind, on: 'create' });
        const hung = assert.rejects(create('hung'), /socket hang up|ECONNRESET/);
        assert.equal(await statusOf(list()), 200);
        assert.equal(fault.struck(), 1);
        assert.equal(manager.counters().maxInFlight, 2);
        if (kind === 'hang-after') await until('it is stored', () => names().includes('hung'));
        else assert.deepEqual(names(), []);
        await manager.stop();
        await hung;
      });
    }
  });
}

describe('a script of faults', () => {
  test('strikes as often as it says, after as many as it lets pass', async () => {
    await open();
    const fault = manager.faults.script({ kind: 'fail-before', on: 'mutation', skip: 1, times: 2 });
    const statuses = [];
    for (const name of ['a', 'b', 'c', 'd']) statuses.push(await statusOf(create(name)));
    assert.deepEqual(statuses, [200, 500, 500, 200]);
    assert.equal(fault.struck(), 2);
  });

  test('can be taken back', async () => {
    await open();
    const one = manager.faults.script({ kind: 'fail-before', on: 'any', times: Number.POSITIVE_INFINITY });
    assert.equal(await statusOf(list()), 500);
    one.remove();
    assert.equal(await statusOf(list()), 200);
    manager.faults.script({ kind: 'fail-before', on: 'list' });
    manager.faults.clear();
    assert.equal(await statusOf(list()), 200);
  });

  test('refuses whoever comes while another is answered, and nobody who waits', async () => {
    await open();
    const fault = manager.faults.script({ kind: 'overload', on: 'any', times: Number.POSITIVE_INFINITY });
    assert.equal(await statusOf(create('alone')), 200);
    const both = await atOnce(
      () => create('first'),
      () => create('second'),
    );
    assert.deepEqual(both.toSorted(), [200, 500]);
    assert.equal(fault.struck(), 1);
  });
});

describe('the live interface', () => {
  test('lags behind the list until a mutation tells it', async () => {
    await open({ dialect: '15.4' });
    await create('kept');
    await create('gone');
    manager.faults.script({ kind: 'lag', on: 'delete' });
    assert.equal(await statusOf(remove(2)), 500);
    assert.deepEqual([names(), manager.live().length], [['kept'], 2]);
    assert.equal(await statusOf(remove(999_999)), 200);
    assert.equal(manager.live().length, 1);
  });

  test('is not told by a delete of nobody in version 14', async () => {
    await open({ dialect: '14' });
    await create('gone');
    manager.faults.script({ kind: 'lag', on: 'delete' });
    const [gone] = manager.clients();
    assert.equal(await statusOf(remove(gone?.id ?? '')), 500);
    assert.equal(await statusOf(remove(gone?.id ?? '')), 200);
    assert.equal(manager.live().length, 1);
    await create('next');
    assert.deepEqual(
      manager.live().map((peer) => peer.publicKey),
      manager.clients().map((client) => client.publicKey),
    );
  });

  test('takes nothing while it is gone, and all that was stored when it is back', async () => {
    await open();
    manager.setInterface('gone');
    assert.deepEqual([await statusOf(create('stored')), await statusOf(list())], [500, 500]);
    assert.deepEqual([names(), manager.live().length], [['stored'], 0]);
    manager.setInterface('there');
    assert.deepEqual(
      manager.clients().map((client) => client.live),
      [true],
    );
  });

  for (const [dialect, status] of Object.entries({ '14': 500, '15.1': 500, '15.3': 500, '15.4': 400 })) {
    test(`of ${dialect} is stuck while a name breaks its configuration file`, async () => {
      await open({ dialect: dialect as Dialect });
      assert.equal(await statusOf(create('line\nanother line')), status);
      assert.equal(await statusOf(create('innocent')), status === 500 ? 500 : 200);
      if (status === 400) return assert.deepEqual(names(), ['innocent']);
      assert.deepEqual(names(), ['line\nanother line', 'innocent']);
      await remove(manager.clients()[0]?.id ?? '');
      assert.deepEqual(
        manager.clients().map((client) => client.live),
        [true],
      );
    });
  }
});

describe('logins that meet', () => {
  for (const dialect of ['15.1', '15.3', '15.4'] as const) {
    test(`lock ${dialect} for everybody's writes until it heals, and leave reads alone`, async () => {
      let now = Date.now();
      await open({ dialect, healAfterMs: 50_000, now: () => now });
      const statuses = await atOnce(login, login, login);
      assert.deepEqual(statuses.toSorted(), [200, 500, 500]);
      assert.deepEqual([manager.locked(), manager.collisions() > 0], [true, true]);
      for (const write of [() => create('a'), () => remove(1), login])
        assert.equal(await statusOf(write()), 500);
      assert.equal(await statusOf(list()), 200);
      assert.deepEqual(names(), []);
      now += 50_000;
      assert.equal(await statusOf(create('healed')), 200);
      assert.ok(manager.counters().maxLoginsInFlight > 1);
    });
  }

  test('lock with wrong passwords too', async () => {
    await open();
    const wrong = () => login('not-the-password');
    const statuses = await atOnce(wrong, wrong);
    assert.deepEqual(statuses.toSorted(), [401, 500]);
    assert.equal(manager.locked(), true);
  });

  test('or meet a mutation, which is not stored', async () => {
    await open();
    const statuses = await atOnce(login, () => create('beside'));
    assert.ok(statuses.includes(500));
    assert.deepEqual([names(), manager.locked()], [[], true]);
    assert.equal(manager.counters().loginsBesideMutations, 1);
  });

  test('heal by hand and by a restart', async () => {
    await open({ healAfterMs: null });
    manager.lock();
    assert.equal(await statusOf(create('a')), 500);
    manager.heal();
    assert.equal(await statusOf(create('b')), 200);
    manager.lock();
    await manager.restart();
    assert.equal(await statusOf(create('c')), 200);
  });

  test('do no harm one after the other, nor mutations among themselves', async () => {
    await open();
    assert.deepEqual([await statusOf(login()), await statusOf(login())], [200, 200]);
    const statuses = await atOnce(...['a', 'b', 'c'].map((name) => () => create(name)));
    assert.deepEqual(statuses, [200, 200, 200]);
    assert.deepEqual([manager.locked(), manager.counters().maxMutationsInFlight], [false, 3]);
  });

  test('are only slow in version 14', async () => {
    await open({ dialect: '14' });
    assert.deepEqual(await atOnce(login, login, () => create('a')), [200, 200, 200]);
    assert.equal(manager.locked(), false);
  });
});

describe('sessions', () => {
  for (const dialect of dialects) {
    test(`of ${dialect} are ${dialect === '14' ? 'lost' : 'kept'} over a restart, clients and address kept`, async () => {
      await open({ dialect });
      await create('kept');
      const { url } = manager;
      await manager.restart();
      assert.equal(await statusOf(list()), dialect === '14' ? 500 : 200);
      assert.deepEqual([names(), manager.url], [['kept'], url]);
    });

    test(`of ${dialect} can all be lost`, async () => {
      await open({ dialect });
      manager.loseSessions();
      assert.equal(await statusOf(list()), dialect === '14' ? 500 : 401);
      cookie = await logIn();
      assert.equal(await statusOf(list()), 200);
    });
  }

  test('say Secure where the real one would', async () => {
    await open({ secureCookies: true });
    assert.match(String((await login()).headers['set-cookie']), /; HttpOnly; Secure$/);
    assert.equal(await statusOf(list()), 200);
  });

  test('need a code once two-factor login is on', async () => {
    await open({ dialect: '15.3' });
    const code = manager.requireTotp();
    assert.equal((await login()).body, '{"status":"TOTP_REQUIRED"}');
    const { username, password } = manager;
    const whole = { username, password, remember: false, totpCode: code() };
    assert.equal((await send('POST', '/api/session', whole)).body, '{"status":"success"}');
  });
});

describe('what a check is told', () => {
  test('holds no secret', async () => {
    await open();
    await create('named');
    await login('another-password');
    const told = JSON.stringify([manager.log(), manager.counters()]);
    assert.match(told, /"named"/);
    assert.doesNotMatch(told, new RegExp(`another-password|${manager.password}|Fe26`));
  });

  test('names what no recording answers', async () => {
    await open();
    assert.equal(await statusOf(send('GET', '/api/never-recorded')), 404);
    assert.equal(await statusOf(send('GET', '/api/nope')), 404);
    assert.deepEqual(manager.counters().unknown, ['GET /api/never-recorded']);
  });

  test('says which addresses are left when the pool is full', async () => {
    await open();
    manager.fillPool(1);
    assert.deepEqual([await statusOf(create('last')), await statusOf(create('too many'))], [200, 500]);
    assert.equal(manager.clients().length, 253);
    assert.equal(manager.clients().at(-1)?.address, '10.8.0.254');
  });

  test('says that nobody is there after a stop', async () => {
    await open();
    await manager.stop();
    await assert.rejects(list(), /ECONNREFUSED/);
    await manager.start();
    assert.equal(await statusOf(list()), 200);
  });
});
