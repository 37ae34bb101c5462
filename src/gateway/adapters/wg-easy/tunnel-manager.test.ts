import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dialects } from '../../../../fakes/wg-easy/model/dialect.ts';
import {
  assertOneAtATime,
  countLogins,
  failureOf,
  named,
  namesAt,
  setUpTunnels,
  startProxy,
} from '../../testing/tunnels.ts';

/** Elements of both dialects that no peer of a box has. */
const laptop = { id: 7, name: 'laptop', enabled: true, address: '10.8.0.99', ipv4Address: '10.8.0.99' };
const oddElements: Record<string, unknown[]> = {
  'no objects': [null, 7, 'text', [], true],
  'an empty object': [{}],
  'no address': [{ id: 7, name: 'laptop', enabled: true }],
  'null fields': [Object.fromEntries(Object.keys(laptop).map((key) => [key, null])), { ...laptop, name: null }],
  'IPv6 only': [{ ...laptop, address: 'fdcc::7', ipv4Address: null }],
  'addresses that no peer can have': ['', '10.8.0.0/24', '169.254.169.254', 'laptop', 7, {}].map((address) => ({
    ...laptop,
    address,
    ipv4Address: address,
  })),
  'odd ids': [null, '', '../..', 1.5, {}, -1].map((id) => ({ ...laptop, id })),
  'odd names': ['', 7, {}, '__proto__', 'boxgate-', 'boxgate-box_a '].map((name) => ({ ...laptop, name })),
  'odd states': [{ ...laptop, enabled: 'yes', expiresAt: 'soon', latestHandshakeAt: {} }],
  'ids that occur twice': [laptop, laptop],
  'an expired peer': [{ ...laptop, enabled: false, expiresAt: '2020-01-01T00:00:00.000Z' }],
  thousands: Array.from({ length: 4000 }, (_, id) => ({ ...laptop, id, publicKey: 'k'.repeat(700) })),
};

for (const dialect of dialects) {
  // The tests run in parallel: each one has its own manager and mostly waits for it.
  describe(`wg-easy ${dialect}`, { concurrency: 8 }, () => {
    test('makes a peer and returns its address and configuration', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      manager.add('somebody');
      const { config, ...peer } = await tunnels.createPeer('boxgate-box_one');
      const [, client] = manager.clients();
      const { publicKey = '' } = client ?? {};
      assert.deepEqual(peer, { id: String(client?.id), name: 'boxgate-box_one', publicKey, address: '10.8.0.3' });
      assert.match(config, /^\[Interface\]\nPrivateKey = \S{44}\nAddress = 10\.8\.0\.3\//);
      assert.deepEqual(manager.counters().unknown, []);
      assertOneAtATime(manager);
    });

    test('removes every peer of a name and no other, and returns their number', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      for (const name of ['a', 'ab', 'a', 'A', 'a']) manager.add(name);
      assert.equal(await tunnels.removePeers(named('a')), 3);
      assert.equal(await tunnels.removePeers(named('a')), 0);
      assert.deepEqual(namesAt(manager), ['ab', 'A']);
    });

    test('removes the peer of a box by its key, whatever somebody has called it and others', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const { publicKey } = await tunnels.createPeer('boxgate-box_a');
      manager.add('laptop');
      const names: Readonly<Record<string, string>> = { 'boxgate-box_a': 'attic', laptop: 'boxgate-box_a' };
      const edit = (body: string) =>
        JSON.stringify(JSON.parse(body).map((peer: { name: string }) => ({ ...peer, name: names[peer.name] })));
      manager.faults.script({ kind: 'wrong-shape', on: 'list', times: 100, edit });
      assert.equal(await tunnels.removePeers({ peerName: 'boxgate-box_a', peerKey: publicKey }), 1);
      assert.deepEqual(namesAt(manager), ['laptop']);
      assert.equal(await tunnels.removePeers({ peerName: 'boxgate-box_a', peerKey: publicKey }), 0);
    });

    describe('a foreign element of the list fails no call', { concurrency: 8 }, () => {
      for (const [name, elements] of Object.entries(oddElements)) {
        test(name, async (t) => {
          const { manager, tunnels } = await setUpTunnels(t, { dialect });
          const edit = (body: string) => JSON.stringify([...elements, ...JSON.parse(body), ...elements]);
          manager.faults.script({ kind: 'wrong-shape', on: 'list', times: 100, edit });
          const { address } = await tunnels.createPeer('boxgate-box_a');
          assert.equal(address, '10.8.0.2');
          assert.ok((await tunnels.listPeers()).some((peer) => peer.name === 'boxgate-box_a'));
          assert.equal(await tunnels.findMistake(), null);
          assert.equal(await tunnels.removePeers(named('boxgate-box_a')), 1);
          assert.deepEqual([manager.clients(), manager.live()], [[], []]);
        });
      }
    });

    test('a peer of ours without an id is not taken for removed', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      await tunnels.createPeer('boxgate-box_a');
      const edit = (body: string) => JSON.stringify(JSON.parse(body).map((peer: object) => ({ ...peer, id: null })));
      manager.faults.script({ kind: 'wrong-shape', on: 'list', edit });
      assert.match(
        (await failureOf(tunnels.removePeers(named('boxgate-box_a')))).phrase,
        /without the id of boxgate-box_a/,
      );
      assert.equal(await tunnels.removePeers(named('boxgate-box_a')), 1);
    });

    for (const [from, to, phrase] of [
      [/^\[Peer\]$/m, 'Jc = 7\nJmin = 10\nH1 = 1148973501\n[Peer]', /^it makes AmneziaWG tunnels \(Jc, Jmin, H1 in/],
      [/^Endpoint = .*$/m, 'Endpoint = vpn:0', /^its configuration has the Endpoint "vpn:0"/],
      [/^Address = .*$/m, 'Address = 169.254.169.254/32', /^its configuration has the Address "169.254.169.254\/32"/],
      [
        /^Address = .*$/m,
        'Address = 192.168.1.7/24',
        /in the network of the tunnels, 10\.8\.0\.0\/24: correct .* GATEWAY_TUNNEL_NETWORK/,
      ],
      [/^Address = .*$/m, 'Address = 8.8.8.8/32', /in the network of the tunnels, 10\.8\.0\.0\/24: correct/],
    ] as const) {
      test(`refuses a configuration with ${to.replaceAll('\n', ', ')}, and leaves no peer`, async (t) => {
        // This machine has no wg0, so the network is the usual one.
        const { manager, tunnels } = await setUpTunnels(t, { dialect });
        manager.faults.script({
          kind: 'wrong-shape',
          on: 'configuration',
          times: 100,
          edit: (body) => body.replace(from, to),
        });
        const { phrase: found, peerMayRemain } = await failureOf(tunnels.createPeer('boxgate-box_a'));
        assert.match(found, phrase);
        assert.equal(peerMayRemain, false);
        assert.deepEqual(manager.clients(), []);
        // The peer of somebody else shows it, too.
        manager.add('laptop');
        if (!to.startsWith('Address')) assert.match(String(await tunnels.findMistake()), phrase);
      });
    }

    test('accepts an endpoint on this machine, and names it to the operator', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const edit = (body: string) => body.replace(/^Endpoint = .*$/m, 'Endpoint = 127.0.0.1:51820');
      manager.faults.script({ kind: 'wrong-shape', on: 'configuration', times: 100, edit });
      assert.match((await tunnels.createPeer('boxgate-box_a')).config, /^Endpoint = 127\.0\.0\.1:51820$/m);
      assert.match(String(await tunnels.findMistake()), /the Endpoint "127\.0\.0\.1:51820", which no other machine/);
    });

    test('a password that findMistake saw refused is tried again at once, twice', async (t) => {
      const { manager, open } = await setUpTunnels(t, { dialect });
      const tunnels = open({ password: 'long-enough-but-wrong' });
      const logins: number[] = [];
      await tunnels.findMistake();
      for (const name of ['a', 'b']) {
        await failureOf(tunnels.createPeer(name));
        logins.push(countLogins(manager));
      }
      assert.deepEqual(logins, [2, 3]);
    });

    test('finds a mistake of the operator, and waits for a manager that does not answer', async (t) => {
      const { manager, open, tunnels } = await setUpTunnels(t, { dialect });
      assert.equal(await tunnels.findMistake(), null);
      const wrong = open({ password: 'long-enough-but-wrong' });
      assert.match(String(await wrong.findMistake()), /^wrong password/);
      await manager.stop();
      assert.match((await failureOf(tunnels.findMistake())).phrase, /^not reachable/);
    });

    test('does not look for mistakes at a manager that does not answer at once', async (t) => {
      const limits = { probeMs: 1000, callMs: 60_000, workMs: 60_000 };
      const { manager, tunnels } = await setUpTunnels(t, { dialect }, { limits });
      manager.faults.script({ kind: 'hang-before', on: 'any' });
      // On a slow machine even the connection may take longer than the probe.
      assert.match((await failureOf(tunnels.findMistake())).phrase, /^not (?:answering|reachable) \(.*within 1 s\)/);
    });

    test('lists peers with the properties that the doctor needs', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      manager.add('boxgate-box_one');
      const { publicKey = '' } = manager.clients()[0] ?? {};
      assert.deepEqual(await tunnels.listPeers(), [
        {
          name: 'boxgate-box_one',
          publicKey,
          address: '10.8.0.2',
          enabled: true,
          expiresAt: null,
          lastHandshakeAt: null,
        },
      ]);
    });

    test('a lost session causes one login and one repetition of any call', async (t) => {
      const { manager, tunnels } = await setUpTunnels(t, { dialect });
      const calls = [
        () => tunnels.createPeer('a'),
        () => tunnels.listPeers(),
        () => tunnels.createPeer('b'),
        () => tunnels.removePeers(named('a')),
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
      await tunnels.removePeers(named('filler-98'));
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
  });
}
