import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { dialects } from './model/dialect.ts';
import { type Driver, drive, statusOf } from './testing/driver.ts';

let fake: Driver;
afterEach(() => fake.manager.close());

describe('concurrent logins', () => {
  test('lock all writes until it heals, but no reads', async () => {
    let now = Date.now();
    fake = await drive({ healAfterMs: 50_000, now: () => now });
    const statuses = await fake.atOnce(fake.login, fake.login, fake.login);
    assert.deepEqual(statuses, [200, 500, 500]);
    assert.deepEqual([fake.manager.locked(), fake.manager.collisions() > 0], [true, true]);
    for (const write of [() => fake.create('a'), () => fake.remove(1), fake.login])
      assert.equal(await statusOf(write()), 500);
    assert.equal(await statusOf(fake.list()), 200);
    assert.deepEqual(fake.names(), []);
    now += 50_000;
    assert.equal(await statusOf(fake.create('healed')), 200);
    assert.ok(fake.manager.counters().maxLoginsInFlight > 1);
  });

  test('lock with wrong passwords too', async () => {
    fake = await drive();
    const wrong = () => fake.login('not-the-password');
    const statuses = await fake.atOnce(wrong, wrong);
    assert.deepEqual(statuses, [401, 500]);
    assert.equal(fake.manager.locked(), true);
  });

  test('beside a mutation make it fail', async () => {
    fake = await drive();
    const statuses = await fake.atOnce(fake.login, () => fake.create('beside'));
    assert.deepEqual(statuses, [200, 500]);
    assert.deepEqual([fake.names(), fake.manager.locked()], [[], true]);
    assert.equal(fake.manager.counters().loginsBesideMutations, 1);
  });

  test('fail together with an earlier mutation', async () => {
    fake = await drive();
    assert.deepEqual(await fake.atOnce(() => fake.create('before'), fake.login), [500, 500]);
    assert.deepEqual([fake.names(), fake.manager.locked()], [[], true]);
  });

  test('are healed manually or by a restart', async () => {
    fake = await drive({ healAfterMs: null });
    fake.manager.lock();
    assert.equal(await statusOf(fake.create('a')), 500);
    fake.manager.heal();
    assert.equal(await statusOf(fake.create('b')), 200);
    fake.manager.lock();
    await fake.manager.restart();
    assert.equal(await statusOf(fake.create('c')), 200);
  });

  test('do not collide one after the other; mutations never collide', async () => {
    fake = await drive();
    assert.deepEqual([await statusOf(fake.login()), await statusOf(fake.login())], [200, 200]);
    const statuses = await fake.atOnce(...['a', 'b', 'c'].map((name) => () => fake.create(name)));
    assert.deepEqual(statuses, [200, 200, 200]);
    const { maxMutationsInFlight, maxMutationsAwaited } = fake.manager.counters();
    assert.deepEqual([fake.manager.locked(), maxMutationsInFlight, maxMutationsAwaited], [false, 3, 3]);
  });

  test('do not collide in version 14', async () => {
    fake = await drive({ dialect: '14' });
    assert.deepEqual(await fake.atOnce(fake.login, fake.login, () => fake.create('a')), [200, 200, 200]);
    assert.equal(fake.manager.locked(), false);
  });
});

describe('sessions', () => {
  for (const dialect of dialects) {
    test(`of ${dialect} are ${dialect === '14' ? 'lost' : 'kept'} by a restart, which keeps clients and address`, async () => {
      fake = await drive({ dialect });
      await fake.create('kept');
      const { url } = fake.manager;
      await fake.manager.restart();
      assert.equal(await statusOf(fake.list()), dialect === '14' ? 500 : 200);
      assert.deepEqual([fake.names(), fake.manager.url], [['kept'], url]);
    });

    test(`of ${dialect} can all be lost`, async () => {
      fake = await drive({ dialect });
      fake.manager.loseSessions();
      assert.equal(await statusOf(fake.list()), dialect === '14' ? 500 : 401);
      await fake.logIn();
      assert.equal(await statusOf(fake.list()), 200);
    });
  }

  test('have Secure cookies if configured', async () => {
    fake = await drive({ secureCookies: true });
    assert.match(String((await fake.login()).headers['set-cookie']), /; HttpOnly; Secure$/);
    assert.equal(await statusOf(fake.list()), 200);
  });

  test('need a code once two-factor login is on', async () => {
    fake = await drive();
    fake.manager.requireTotp();
    assert.equal((await fake.login()).body, '{"status":"TOTP_REQUIRED"}');
  });
});

describe('log and counters', () => {
  test('contain no secret', async () => {
    fake = await drive();
    await fake.create('named');
    await fake.login('another-password');
    const seen = JSON.stringify([fake.manager.log(), fake.manager.counters()]);
    assert.match(seen, /"named"/);
    assert.doesNotMatch(seen, new RegExp(`another-password|${fake.manager.password}|Fe26`));
  });

  test('list requests that no recording has', async () => {
    fake = await drive();
    assert.equal(await statusOf(fake.send('GET', '/api/never-recorded')), 404);
    assert.equal(await statusOf(fake.send('GET', '/api/nope')), 404);
    assert.deepEqual(fake.manager.counters().unknown, ['GET /api/never-recorded']);
  });

  test('a full pool assigns only the remaining addresses', async () => {
    fake = await drive();
    fake.manager.fillPool(1);
    assert.deepEqual([await statusOf(fake.create('last')), await statusOf(fake.create('too many'))], [200, 500]);
    assert.equal(fake.manager.clients().length, 253);
    assert.equal(fake.manager.clients().at(-1)?.address, '10.8.0.254');
  });

  for (const dialect of dialects) {
    test(`reports the last handshake of a client of ${dialect} until a restart`, async () => {
      fake = await drive({ dialect, now: () => Date.parse('2026-11-21T12:00:00.500Z') });
      await fake.create('used');
      fake.manager.shakeHands('10.8.0.2');
      await fake.create('other');
      const seen = async () => {
        const clients: { latestHandshakeAt: string | null }[] = JSON.parse((await fake.list()).body);
        return clients.map((client) => client.latestHandshakeAt);
      };
      assert.deepEqual((await seen()).toSorted(), ['2026-11-21T12:00:00.000Z', null]);
      await fake.manager.restart();
      await fake.logIn();
      assert.deepEqual(await seen(), [null, null]);
    });
  }

  test('refuses connections after a stop', async () => {
    fake = await drive();
    await fake.manager.stop();
    await assert.rejects(fake.list(), /ECONNREFUSED/);
    await fake.manager.start();
    assert.equal(await statusOf(fake.list()), 200);
  });
});
