import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dialects } from '../../../../fakes/wg-easy/model/dialect.ts';
import { startWgEasy } from '../../../../fakes/wg-easy/wg-easy.ts';
import { assertOneAtATime, countLogins, failureOf, namesAt, setUpTunnels, startProxy } from '../../testing/tunnels.ts';

for (const dialect of dialects) {
  const is14 = dialect === '14';

  // The tests run in parallel: each one has its own manager and mostly waits for it.
  describe(`wg-easy ${dialect}`, { concurrency: 8 }, () => {
    test('makes a peer and returns its address and configuration', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      manager.add('somebody');
      const { config, ...peer } = await tunnels.createPeer('boxgate-box_one');
      const [, client] = manager.clients();
      assert.deepEqual(peer, { id: String(client?.id), name: 'boxgate-box_one', address: '10.8.0.3' });
      assert.match(config, /^\[Interface\]\nPrivateKey = \S{44}\nAddress = 10\.8\.0\.3\//);
      assert.deepEqual(manager.counters().unknown, []);
      assertOneAtATime(manager);
    });

    test('logs in once for any number of calls', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      for (const name of ['a', 'b', 'c']) await tunnels.createPeer(name);
      await tunnels.removePeers('b');
      await tunnels.listPeers();
      assert.equal(countLogins(manager), 1);
      assert.deepEqual(namesAt(manager), ['a', 'c']);
    });

    test('removes every peer of a name and no other, and returns their number', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      for (const name of ['a', 'ab', 'a', 'A', 'a']) manager.add(name);
      assert.equal(await tunnels.removePeers('a'), 3);
      assert.equal(await tunnels.removePeers('a'), 0);
      assert.deepEqual(namesAt(manager), ['ab', 'A']);
    });

    test('lists peers with the properties that the doctor needs', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const { id } = manager.add('boxgate-box_one');
      assert.deepEqual(await tunnels.listPeers(), [
        { id: String(id), name: 'boxgate-box_one', address: '10.8.0.2', enabled: true, lastHandshakeAt: null },
      ]);
    });

    test('sends one request at a time over all processes of a store', async (t) => {
      // Other tests check the limit of the wait; a slow machine must not reach it here.
      const { manager, open } = await setUpTunnels(t, { dialect }, { limits: { waitMs: 60_000 } });
      const processes = [open(), open()];
      const asked = processes.map(async (tunnels, who) => {
        const names = Array.from({ length: 6 }, (_, number) => `peer-${who}-${number}`);
        const made = names.map((name) => tunnels.createPeer(name));
        await Promise.all([...made, tunnels.listPeers(), tunnels.removePeers('nobody')]);
        return Promise.all(made);
      });
      const peers = (await Promise.all(asked)).flat();
      assert.equal(new Set(peers.map(({ address }) => address)).size, 12);
      assert.equal(countLogins(manager), 1);
      assertOneAtATime(manager);
    });

    test('a lost session causes one login and one repetition of any call', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const calls = [
        () => tunnels.createPeer('a'),
        () => tunnels.listPeers(),
        () => tunnels.createPeer('b'),
        () => tunnels.removePeers('a'),
      ];
      for (const call of calls) {
        manager.loseSessions();
        await call();
      }
      assert.equal(countLogins(manager), calls.length);
      assert.deepEqual(namesAt(manager), ['b']);
      assertOneAtATime(manager);
    });

    test('does not log in twice if the manager drops every session', async (t) => {
      const { manager, open } = await setUpTunnels(t, { dialect });
      const { url } = await startProxy(t, { target: manager.url, dropsCookies: true });
      assert.match((await failureOf(open({ url }).createPeer('a'))).phrase, /^it does not keep the session/);
      assert.equal(countLogins(manager), 1);
    });

    test('does not log in twice if the login after a lost session is refused', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      await tunnels.createPeer('a');
      await manager.restart({ password: 'another password' });
      manager.loseSessions();
      assert.match((await failureOf(tunnels.createPeer('b'))).phrase, /password/);
      assert.equal(countLogins(manager), 2);
    });

    test('uses the session of another process', async (t) => {
      const { manager, open, tunnels } = await setUpTunnels(t, { dialect });
      const other = open();
      await tunnels.createPeer('a');
      await other.createPeer('b');
      manager.loseSessions();
      await other.createPeer('c');
      await tunnels.createPeer('d');
      assert.equal(countLogins(manager), 2);
    });

    test('works after a restart of the manager', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      await tunnels.createPeer('a');
      await manager.restart();
      await tunnels.createPeer('b');
      assert.equal(countLogins(manager), is14 ? 2 : 1);
      assert.deepEqual(namesAt(manager), ['a', 'b']);
    });

    test('reports an unreachable manager, and works when it is back', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      await manager.stop();
      assert.deepEqual(await failureOf(tunnels.createPeer('a')), {
        phrase:
          'not reachable (ECONNREFUSED): check that it runs and that GATEWAY_TUNNEL_URL in /etc/boxgate/gateway.env ' +
          '(or --tunnel-url) is its address',
        peerMayRemain: false,
      });
      await manager.start();
      await tunnels.createPeer('a');
    });

    test('reports a full pool; the next peer gets the address of a removed one', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      manager.fillPool();
      const { phrase, peerMayRemain } = await failureOf(tunnels.createPeer('a'));
      assert.match(phrase, /^pool full: its 253 peers/);
      assert.equal(peerMayRemain, false);
      await tunnels.removePeers('filler-98');
      assert.equal((await tunnels.createPeer('a')).address, '10.8.0.100');
    });

    test('choice/gateway/123: works under the path of a proxy, with or without a slash at the end', async (t) => {
      const { manager, open } = await setUpTunnels(t, { dialect });
      const { url } = await startProxy(t, { target: manager.url, prefix: '/some/where' });
      await open({ url: `${url}/some/where` }).createPeer('a');
      await open({ url: `${url}/some/where/` }).createPeer('b');
      assert.match((await failureOf(open({ url }).listPeers())).phrase, /^not a wg-easy .*404 text\/html/);
      assert.deepEqual(namesAt(manager), ['a', 'b']);
    });

    for (const next of dialects.filter((one) => one !== dialect)) {
      test(`works after a change of the manager to ${next}`, async (t) => {
        const { manager, open } = await setUpTunnels(t, { dialect });
        const replacement = await startWgEasy({ dialect: next, password: manager.password });
        t.after(() => replacement.close());
        const { url, way } = await startProxy(t, { target: manager.url });
        const tunnels = open({ url });
        await tunnels.createPeer('a');
        way.target = replacement.url;
        assert.equal((await tunnels.createPeer('b')).address, '10.8.0.2');
        assert.equal(await tunnels.removePeers('b'), 1);
        assert.equal(countLogins(replacement), 1);
        assertOneAtATime(replacement);
      });
    }
  });
}
