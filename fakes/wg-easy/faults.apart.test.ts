import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { pauseUnless } from '../pause.ts';
import type { FaultKind } from './faults.ts';
import { type Dialect, dialects } from './model/dialect.ts';
import { type Driver, drive, statusOf, until } from './testing/driver.ts';

let fake: Driver;
afterEach(() => fake.manager.close());

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
      { kind: 'html-after', answer: /^200 <!doctype html>/, stored: true },
      { kind: 'broken-json', answer: /^200 \{"succe[^}]*$/, stored: true },
      { kind: 'wrong-shape', answer: /^200 \{"ok":"yes"\}$/, stored: true },
      { kind: 'empty-list', answer: /^200 \[\]$/, stored: true },
      { kind: 'canned', answer: /^200 $/, stored: false },
      { kind: 'changed', answer: /^200 \{"success":true/, stored: true },
    ];
    for (const { kind, answer, stored } of kinds) {
      test(`${kind} affects one create, and is counted`, async () => {
        fake = await drive({ dialect });
        const fault = fake.manager.faults.script({ kind, on: 'create', delayMs: 1 });
        const struck = fake.create('struck').then(({ status, body }) => `${status} ${body}`);
        if (answer === 'none') await assert.rejects(struck, /socket hang up|ECONNRESET/);
        else assert.match(await struck, answer);
        assert.equal(fault.struck(), 1);
        assert.deepEqual(fake.names(), stored ? ['struck'] : []);
        assert.equal(fake.manager.log().at(-1)?.fault, kind);
        assert.equal(await statusOf(fake.create('after')), 200);
        assert.equal(fault.struck(), 1);
      });
    }

    test('logged-out-after stores one create, refuses it, and ends all sessions', async () => {
      fake = await drive({ dialect });
      fake.manager.faults.script({ kind: 'logged-out-after', on: 'create' });
      const refusal = dialect === '14' ? 500 : 401;
      assert.equal(await statusOf(fake.create('struck')), refusal);
      assert.deepEqual(fake.names(), ['struck']);
      assert.equal(await statusOf(fake.list()), refusal);
      await fake.logIn();
      assert.equal(await statusOf(fake.create('after')), 200);
    });

    for (const kind of ['hang-before', 'hang-after'] as const) {
      test(`${kind} never responds`, async () => {
        fake = await drive({ dialect });
        const fault = fake.manager.faults.script({ kind, on: 'create' });
        const hung = assert.rejects(fake.create('hung'), /socket hang up|ECONNRESET/);
        await until('it fired', () => fault.struck() === 1);
        assert.equal(await statusOf(fake.list()), 200);
        assert.equal(fake.manager.counters().maxInFlight, 2);
        if (kind === 'hang-after') await until('it is stored', () => fake.names().includes('hung'));
        else assert.deepEqual(fake.names(), []);
        await fake.manager.stop();
        await hung;
      });
    }
  });
}

describe('a script of faults', () => {
  test('applies `times` times after `skip` requests', async () => {
    fake = await drive();
    const fault = fake.manager.faults.script({ kind: 'fail-before', on: 'mutation', skip: 1, times: 2 });
    const statuses = [];
    for (const name of ['a', 'b', 'c', 'd']) statuses.push(await statusOf(fake.create(name)));
    assert.deepEqual(statuses, [200, 500, 500, 200]);
    assert.equal(fault.struck(), 2);
  });

  test('sends a page with the given status', async () => {
    fake = await drive();
    fake.manager.faults.script({ kind: 'html', on: 'create', status: 503 });
    fake.manager.faults.script({ kind: 'html-after', on: 'create', status: 504 });
    const statuses = [await statusOf(fake.create('a')), await statusOf(fake.create('b'))];
    assert.deepEqual([statuses, fake.names()], [[503, 504], ['b']]);
  });

  test('sends a given response, or changes one', async () => {
    fake = await drive();
    const { faults } = fake.manager;
    faults.script({ kind: 'canned', on: 'create', status: 403, body: '{"message":"no"}' });
    faults.script({ kind: 'changed', on: 'create', change: (answer) => ({ ...answer, status: 299 }) });
    const [first, second] = [await fake.create('a'), await fake.create('b')];
    assert.deepEqual(
      [first.status, first.body, first.headers['content-type']],
      [403, '{"message":"no"}', 'application/json'],
    );
    assert.deepEqual([second.status, fake.names()], [299, ['b']]);
  });

  test('sends bytes that are not HTTP', async () => {
    fake = await drive();
    fake.manager.faults.script({ kind: 'no-http', on: 'create' });
    await assert.rejects(fake.create('a'), /Parse Error/);
    assert.deepEqual(fake.names(), []);
  });

  test('can be removed', async () => {
    fake = await drive();
    const one = fake.manager.faults.script({ kind: 'fail-before', on: 'any', times: Number.POSITIVE_INFINITY });
    assert.equal(await statusOf(fake.list()), 500);
    one.remove();
    assert.equal(await statusOf(fake.list()), 200);
    fake.manager.faults.script({ kind: 'fail-before', on: 'list' });
    fake.manager.faults.clear();
    assert.equal(await statusOf(fake.list()), 200);
  });

  test('releases a slow response when cleared', async () => {
    fake = await drive({ pause: pauseUnless });
    const fault = fake.manager.faults.script({ kind: 'slow', on: 'create', delayMs: 3_600_000 });
    const answer = statusOf(fake.create('a'));
    await until('it was made', () => fake.names().length === 1);
    fake.manager.faults.clear();
    assert.deepEqual([await answer, fault.struck()], [200, 1]);
  });

  test('overload rejects only requests that overlap', async () => {
    fake = await drive();
    const fault = fake.manager.faults.script({ kind: 'overload', on: 'any', times: Number.POSITIVE_INFINITY });
    assert.equal(await statusOf(fake.create('alone')), 200);
    const both = await fake.atOnce(
      () => fake.create('first'),
      () => fake.create('second'),
    );
    assert.deepEqual(both, [200, 500]);
    assert.equal(fault.struck(), 1);
  });
});

describe('the live interface', () => {
  test('lags behind the list until the next mutation', async () => {
    fake = await drive({ dialect: '15.4' });
    await fake.create('kept');
    await fake.create('gone');
    fake.manager.faults.script({ kind: 'lag', on: 'delete' });
    assert.equal(await statusOf(fake.remove(2)), 500);
    assert.deepEqual([fake.names(), fake.manager.live().length], [['kept'], 2]);
    assert.equal(await statusOf(fake.remove(999_999)), 200);
    assert.equal(fake.manager.live().length, 1);
  });

  test('is not updated by deleting an unknown client in version 14', async () => {
    fake = await drive({ dialect: '14' });
    await fake.create('gone');
    fake.manager.faults.script({ kind: 'lag', on: 'delete' });
    const [gone] = fake.manager.clients();
    assert.equal(await statusOf(fake.remove(gone?.id ?? '')), 500);
    assert.equal(await statusOf(fake.remove(gone?.id ?? '')), 200);
    assert.equal(fake.manager.live().length, 1);
    await fake.create('next');
    assert.deepEqual(
      fake.manager.live().map((peer) => peer.publicKey),
      fake.manager.clients().map((client) => client.publicKey),
    );
  });

  test('takes no change while it is gone, and all stored clients when it is back', async () => {
    fake = await drive();
    fake.manager.setInterface('gone');
    assert.deepEqual([await statusOf(fake.create('stored')), await statusOf(fake.list())], [500, 500]);
    assert.deepEqual([fake.names(), fake.manager.live().length], [['stored'], 0]);
    fake.manager.setInterface('there');
    assert.deepEqual(
      fake.manager.clients().map((client) => client.live),
      [true],
    );
  });

  for (const [dialect, status] of Object.entries({ '14': 500, '15.4': 400 })) {
    test(`of ${dialect} is stuck while a name breaks its configuration file`, async () => {
      fake = await drive({ dialect: dialect as Dialect });
      assert.equal(await statusOf(fake.create('line\nanother line')), status);
      assert.equal(await statusOf(fake.create('innocent')), status === 500 ? 500 : 200);
      if (status === 400) return assert.deepEqual(fake.names(), ['innocent']);
      assert.deepEqual(fake.names(), ['line\nanother line', 'innocent']);
      await fake.remove(fake.manager.clients()[0]?.id ?? '');
      assert.deepEqual(
        fake.manager.clients().map((client) => client.live),
        [true],
      );
    });
  }
});
