import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { FaultKind } from '../../../../fakes/wg-easy/faults.ts';
import type { Operation } from '../../../../fakes/wg-easy/handler/routes.ts';
import { type Dialect, dialects } from '../../../../fakes/wg-easy/model/dialect.ts';
import {
  assertOneAtATime,
  assertOnlyBefore,
  countLogins,
  failureOf,
  named,
  namesAt,
  setUpTunnels,
  startProxy,
} from '../../testing/tunnels.ts';

/** The tests run in parallel: each one has its own manager and mostly waits for it. */
const together = { concurrency: 8 };

const version15 = dialects.filter((dialect) => dialect !== '14');

type FailedCreate = { kind: FaultKind; on: Operation; phrase: RegExp; peerMayRemain: boolean };

/** The response and the list afterwards show whether a peer may still come. */
function failedCreates(dialect: Dialect): FailedCreate[] {
  const refused = dialect === '14' ? /^it refused to make a peer \(500, it has 1\)/ : /^locked: it refuses changes/;
  const rows: [FaultKind, RegExp, boolean][] = [
    ['fail-before', refused, false],
    ['fail-after', /^it stored the peer but failed to bring it up/, false],
    ['lag', /^it stored the peer but failed to bring it up/, false],
    ['drop-before', /^the connection to it was lost/, true],
    ['drop-after', /^the connection to it was lost/, false],
    ['html', /^unexpected response \(200 text\/html to POST/, true],
    ['broken-json', /^unexpected response \(200 application\/json to POST/, false],
    ['wrong-shape', /^unexpected response \(200 application\/json to POST/, false],
    ['empty-list', /^unexpected response/, false],
  ];
  return rows.map(([kind, phrase, peerMayRemain]) => ({ kind, on: 'create', phrase, peerMayRemain }));
}

/** The peer was made, but the responses about it were faulty. */
const failedReads = (on: Operation): FailedCreate[] =>
  (
    [
      ['fail-before', /^its own fault \(500/],
      ['drop-before', /^the connection to it was lost/],
      ['html', /^unexpected response/],
      ['broken-json', /^unexpected response/],
      ['wrong-shape', /^unexpected response/],
      ['empty-list', /^unexpected response/],
    ] as const
  ).map(([kind, phrase]) => ({ kind, on, phrase, peerMayRemain: false }));

describe('the tunnel manager fails', { concurrency: 4 }, () => {
  for (const dialect of dialects) {
    const reads: Operation[] = dialect === '15.4' ? ['configuration'] : ['list', 'configuration'];

    describe(
      `a create that fails at ${dialect} is sent once, leaves nothing, and says whether anything may come`,
      together,
      () => {
        for (const { kind, on, phrase, peerMayRemain } of [...failedCreates(dialect), ...reads.flatMap(failedReads)]) {
          test(`${on}: ${kind}`, async (t) => {
            const { manager, tunnels } = await setUpTunnels(t, { dialect });
            await tunnels.createPeer('before');
            const fault = manager.faults.script({ kind, on });
            const failure = await failureOf(tunnels.createPeer('a'));
            assert.equal(fault.struck(), 1);
            assert.match(failure.phrase, phrase);
            assert.equal(failure.peerMayRemain, peerMayRemain);
            assertOnlyBefore(manager);
            assertOneAtATime(manager);
            assert.equal((await tunnels.createPeer('after')).address, '10.8.0.3');
          });
        }

        test('a peer that cannot be removed may remain, and a later attempt removes it', async (t) => {
          const { manager, tunnels } = await setUpTunnels(t, { dialect });
          await tunnels.listPeers();
          manager.faults.script({ kind: 'drop-after', on: 'create' });
          manager.faults.script({ kind: 'fail-before', on: 'list' });
          const { phrase, peerMayRemain } = await failureOf(tunnels.createPeer('a'));
          assert.match(phrase, /^the connection to it was lost/);
          assert.equal(peerMayRemain, true);
          assert.equal(await tunnels.removePeers(named('a')), 1);
          assert.deepEqual(namesAt(manager), []);
        });
      },
    );

    describe(`a delete that fails at ${dialect}`, together, () => {
      for (const kind of ['fail-before', 'fail-after', 'lag'] as const) {
        test(`${kind}: the delete is repeated, and no peer of that name works afterwards`, async (t) => {
          const { manager, tunnels } = await setUpTunnels(t, { dialect });
          for (const name of ['a', 'b', 'a']) manager.add(name);
          const fault = manager.faults.script({ kind, on: 'delete' });
          assert.equal(await tunnels.removePeers(named('a')), 2);
          assert.equal(fault.struck(), 1);
          assert.deepEqual(namesAt(manager), ['b']);
          assert.deepEqual(
            manager.live().map(({ address }) => address),
            ['10.8.0.3'],
          );
          assertOneAtATime(manager);
        });
      }

      for (const kind of ['drop-before', 'drop-after', 'html', 'wrong-shape'] as const) {
        test(`${kind}: the call fails, and a later attempt removes the rest`, async (t) => {
          const { manager, tunnels } = await setUpTunnels(t, { dialect });
          for (const name of ['a', 'b', 'a']) manager.add(name);
          manager.faults.script({ kind, on: 'delete' });
          await failureOf(tunnels.removePeers(named('a')));
          await tunnels.removePeers(named('a'));
          assert.deepEqual(namesAt(manager), ['b']);
        });
      }
    });

    describe(`a login that fails at ${dialect}`, together, () => {
      test('the next call tries a wrong password again, further calls after growing waits', async (t) => {
        const { manager, tunnels, clock } = await setUpTunnels(t, { dialect }, { password: 'long-enough-but-wrong' });
        const times: number[] = [];
        for (clock.ms = 0; clock.ms <= 15_000; clock.ms += 500) {
          const before = countLogins(manager);
          assert.match((await failureOf(tunnels.listPeers())).phrase, /^wrong password/);
          if (countLogins(manager) > before) times.push(clock.ms);
        }
        assert.deepEqual(times, [0, 500, 1500, 3500, 7500]);
      });

      test('a session is not used after the password changed', async (t) => {
        const { manager, open, tunnels } = await setUpTunnels(t, { dialect });
        await tunnels.createPeer('a');
        await failureOf(open({ password: 'long-enough-but-wrong' }).listPeers());
        await open().createPeer('b');
        assert.deepEqual(namesAt(manager), ['a', 'b']);
      });

      for (const kind of ['html', 'wrong-shape', 'broken-json', 'drop-after'] as const) {
        test(`${kind}: the login fails`, async (t) => {
          const { manager, tunnels, clock } = await setUpTunnels(t, { dialect });
          manager.faults.script({ kind, on: 'login' });
          assert.match((await failureOf(tunnels.createPeer('a'))).phrase, /^(unexpected response|the connection)/);
          await failureOf(tunnels.createPeer('a'));
          assert.equal(countLogins(manager), 1);
          assert.deepEqual(namesAt(manager), []);
          clock.ms += 1000;
          await tunnels.createPeer('a');
        });
      }

      for (const kind of ['html', 'wrong-shape', 'fail-before', 'drop-before'] as const) {
        test(`${kind}: a server that is no wg-easy never receives the password`, async (t) => {
          const { manager, tunnels } = await setUpTunnels(t, { dialect });
          manager.faults.script({ kind, on: 'session' });
          await failureOf(tunnels.createPeer('a'));
          assert.equal(countLogins(manager), 0);
          await tunnels.createPeer('a');
        });
      }
    });

    test(`${dialect} without its interface: a created peer may remain, and is removed when the interface is back`, async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      await tunnels.listPeers();
      manager.setInterface('gone');
      const { phrase, peerMayRemain } = await failureOf(tunnels.createPeer('a'));
      assert.match(phrase, /^its own fault \(500/);
      assert.equal(peerMayRemain, true);
      await failureOf(tunnels.removePeers(named('a')));
      await manager.restart();
      assert.equal(await tunnels.removePeers(named('a')), 1);
    });

    test(`${dialect}: no secret in any failure`, async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const secrets: string[] = [manager.password];
      const { config } = await tunnels.createPeer('a');
      secrets.push(/PrivateKey = (\S+)/.exec(config)?.[1] ?? assert.fail());
      for (const on of ['list', 'create', 'configuration', 'login', 'session'] as const) {
        for (const kind of ['fail-before', 'html', 'broken-json', 'drop-after'] as const) {
          manager.faults.clear();
          manager.loseSessions();
          manager.faults.script({ kind, on, times: 2 });
          const error = await tunnels.createPeer(`${on}-${kind}`).then(
            () => null,
            (thrown: unknown) => thrown,
          );
          const shown = inspect(error, { depth: 9, showHidden: true });
          for (const secret of secrets) assert.ok(!shown.includes(secret), shown);
          assert.doesNotMatch(shown, /connect\.sid=|wg-easy=|PrivateKey/);
        }
      }
    });
  }

  for (const dialect of version15) {
    describe(`version ${dialect}`, together, () => {
      test('reports a second factor, although the response is 200', async (t) => {
        const { manager, tunnels } = await setUpTunnels(t, { dialect });
        manager.requireTotp();
        assert.match((await failureOf(tunnels.createPeer('a'))).phrase, /^two-factor login is on/);
      });

      test('accepts a Secure cookie over plain HTTP', async (t) => {
        const { tunnels } = await setUpTunnels(t, { dialect, secureCookies: true });
        await tunnels.createPeer('a');
        await tunnels.createPeer('b');
      });

      test('locked before the login: reports it, does not retry at once, and works after the lock', async (t) => {
        const { manager, tunnels, clock } = await setUpTunnels(t, { dialect });
        manager.lock();
        for (const ms of [0, 200, 400, 600, 800]) {
          clock.ms = ms;
          assert.match((await failureOf(tunnels.createPeer('a'))).phrase, /^locked: it refuses every login/);
        }
        assert.equal(countLogins(manager), 1);
        manager.heal();
        clock.ms = 1000;
        await tunnels.createPeer('a');
      });

      test('locked with a session: a create reports it and leaves no peer; a delete fails and works later', async (t) => {
        const { manager, tunnels } = await setUpTunnels(t, { dialect });
        await tunnels.createPeer('a');
        manager.lock();
        const { phrase, peerMayRemain } = await failureOf(tunnels.createPeer('b'));
        assert.match(phrase, /^locked: it refuses changes/);
        assert.equal(peerMayRemain, false);
        await failureOf(tunnels.removePeers(named('a')));
        assert.equal((await tunnels.listPeers()).length, 1);
        manager.heal();
        assert.equal(await tunnels.removePeers(named('a')), 1);
      });
    });
  }

  describe('version 14', () => {
    test('does not log in if no password is set', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect: '14', password: null });
      await tunnels.createPeer('a');
      assert.equal(await tunnels.removePeers(named('a')), 1);
      assert.equal(countLogins(manager), 0);
    });

    test('logs in after a password was set', async (t) => {
      const { manager, tunnels } = await setUpTunnels(
        t,
        { dialect: '14', password: null },
        { password: 'the-password' },
      );
      await tunnels.createPeer('a');
      await manager.restart({ password: 'the-password' });
      await tunnels.createPeer('b');
      assert.equal(countLogins(manager), 1);
      assert.deepEqual(namesAt(manager), ['a', 'b']);
    });

    test('works on after the password was removed', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect: '14' }, { password: 'the-password' });
      await manager.restart({ password: 'the-password' });
      await tunnels.createPeer('a');
      await manager.restart({ password: null });
      await tunnels.createPeer('b');
      assert.deepEqual(namesAt(manager), ['a', 'b']);
    });

    for (const isNew of [false, true]) {
      test(`should/gateway/53: a create that was stored and looks like a lost ${isNew ? 'new ' : ''}session is not sent again`, async (t) => {
        const { manager, open } = await setUpTunnels(t, { dialect: '14' });
        const { url, way } = await startProxy(t, { target: manager.url });
        const tunnels = open({ url });
        if (!isNew) await tunnels.listPeers();
        way.onAnswer = () => {
          if (manager.clients().length === 0) return;
          manager.loseSessions();
          delete way.onAnswer;
        };
        manager.faults.script({ kind: 'fail-after', on: 'create' });
        const failure = await failureOf(tunnels.createPeer('a'));
        assert.equal(manager.log().filter(({ operation }) => operation === 'create').length, 1);
        assert.deepEqual(namesAt(manager), isNew ? ['a'] : []);
        assert.equal(failure.peerMayRemain, isNew);
      });
    }
  });
});
