import assert from 'node:assert/strict';
import { addLiveBox, box, hash, idsOfBoxes, live, numbers, type Obligations, route } from './store-cases.ts';

export const casesOfBoxes: Obligations = {
  async 'inserts boxes up to the limit, pending ones counted'(store) {
    assert.equal(await store.insertPendingBox(box('box_1'), 2, 100), 'inserted');
    await addLiveBox(store, 'box_2');
    assert.equal(await store.insertPendingBox(box('box_3'), 2, 100), 'limitReached');
    assert.deepEqual(await idsOfBoxes(store), ['box_1', 'box_2']);
    assert.equal(await store.insertPendingBox(box('box_3'), 0, 100), 'limitReached');
  },

  async 'inserts exactly as many of a hundred simultaneous boxes as the limit allows'(store) {
    const outcomes = await Promise.all(numbers(100).map((n) => store.insertPendingBox(box(`box_${n}`), 37, 100)));
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 37);
    assert.equal((await store.listBoxes()).length, 37);
  },

  async 'adds a peer deletion for a pending box and deletes it at the activation'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    assert.deepEqual(await store.duePeers(99, 10), []);
    assert.deepEqual(await store.duePeers(100, 10), [
      { peerName: 'boxgate-box_1', peerKey: null, dueAt: 100, attempts: 0 },
    ]);
    assert.deepEqual(await store.activateBox('box_1', live('box_1')), { isLive: true, displaced: [] });
    assert.deepEqual(await store.duePeers(100, 10), []);
  },

  async 'activates only a pending box'(store) {
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
    await addLiveBox(store, 'box_1');
    assert.equal((await store.activateBox('box_1', { ...live('box_1'), tokenHash: hash('other') })).isLive, false);
    assert.equal(await store.boxOfToken(hash('other')), null);
  },

  async 'gateway/service/14: stores all properties of a box'(store) {
    const name = `Ω's "box" $1 -- \\ %s ☃`;
    await store.insertPendingBox({ ...box('box_1'), name, createdAt: 1_790_000_000_123 }, 10, 100);
    const pending = {
      id: 'box_1',
      accountId: store.accountId,
      name,
      peerName: 'boxgate-box_1',
      state: 'pending',
      peerId: null,
      peerKey: null,
      address: null,
      createdAt: 1_790_000_000_123,
      lastSeenAt: null,
      ...{ copiedAt: null, copiedFrom: null },
      routes: 0,
    };
    assert.deepEqual(await store.listBoxes(), [pending]);
    await store.activateBox('box_1', live('box_1'));
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    await store.touchBoxes(new Map([['box_1', 1_790_000_000_456]]));
    assert.deepEqual(await store.listBoxes(), [
      {
        ...pending,
        state: 'active',
        peerId: 'peer of box_1',
        peerKey: 'key of box_1',
        address: '10.8.0.2 of box_1',
        lastSeenAt: 1_790_000_000_456,
        ...{ copiedAt: null, copiedFrom: null },
        routes: 1,
      },
    ]);
  },

  async 'lists boxes by creation, oldest first'(store) {
    for (const [id, createdAt] of [
      ['box_b', 30],
      ['box_c', 10],
      ['box_a', 20],
    ] as const) {
      await store.insertPendingBox({ ...box(id), createdAt }, 10, 100);
    }
    assert.deepEqual(await idsOfBoxes(store), ['box_c', 'box_a', 'box_b']);
  },

  async 'gateway/box/5: finds the live box of a token and no other'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.insertPendingBox(box('box_3'), 10, 100);
    assert.deepEqual(await store.boxOfToken(hash('box_1')), { id: 'box_1', accountId: store.accountId });
    assert.deepEqual(await store.boxOfToken(hash('box_2')), { id: 'box_2', accountId: store.accountId });
    for (const unknown of [hash('box_3'), new Uint8Array(32), new Uint8Array(0)]) {
      assert.equal(await store.boxOfToken(unknown), null);
    }
  },

  async 'finds the right box for each of many simultaneous tokens'(store) {
    const ids = numbers(50).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    const found = await Promise.all([...ids, 'nobody', ...ids].map((id) => store.boxOfToken(hash(id))));
    assert.deepEqual(
      found.map((one) => one?.id ?? null),
      [...ids, null, ...ids],
    );
  },

  async 'refuses a token as soon as it is replaced'(store) {
    await addLiveBox(store, 'box_1');
    assert.notEqual(await store.boxOfToken(hash('box_1')), null);
    assert.equal(await store.replaceToken('box_1', hash('box_1'), hash('new')), true);
    assert.equal(await store.boxOfToken(hash('box_1')), null);
    assert.equal((await store.boxOfToken(hash('new')))?.id, 'box_1');
    assert.equal(await store.replaceToken('box_1', hash('box_1'), hash('newer')), false);
    assert.equal(await store.replaceToken('box_2', hash('new'), hash('newer')), false);
    assert.equal(await store.boxOfToken(hash('newer')), null);
  },

  async 'lets one of many rotations of a token win'(store) {
    await addLiveBox(store, 'box_1');
    const names = numbers(20).map((n) => `token ${n}`);
    const outcomes = await Promise.all(names.map((name) => store.replaceToken('box_1', hash('box_1'), hash(name))));
    assert.equal(outcomes.filter(Boolean).length, 1);
    const found = await Promise.all(names.map((name) => store.boxOfToken(hash(name))));
    assert.deepEqual(
      found.map((one) => one !== null),
      outcomes,
    );
  },

  async 'removes a box with its token and its routes, and enters its peer'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    assert.notEqual(await store.boxOfToken(hash('box_1')), null);
    assert.equal((await store.routesOfBox('box_1')).length, 1);

    const peer = { peerName: 'boxgate-box_1', peerKey: 'key of box_1' };
    assert.deepEqual(await store.removeBox('box_1', 700), peer);
    assert.equal(await store.boxOfToken(hash('box_1')), null);
    assert.deepEqual(await store.routesOfBox('box_1'), []);
    assert.equal(await store.publishedBox('box_1'), null);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.deepEqual(await store.duePeers(700, 10), [{ ...peer, dueAt: 700, attempts: 0 }]);
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'blog'), 10), 'inserted');
    assert.equal(await store.removeBox('box_1', 900), null);
  },

  async 'knows the token of a box that the operator removed, and when it came, until it is forgotten'(store) {
    for (const id of ['box_1', 'box_2', 'box_3']) await addLiveBox(store, id);
    await store.removeBox('box_1', 700, 900);
    await store.removeBox('box_2', 700);
    assert.deepEqual(await store.heardRemovedBoxes(), []);
    for (const id of ['box_1', 'box_2', 'nobody']) await store.noteRemovedToken(hash(id), 800);
    assert.deepEqual(await store.heardRemovedBoxes(), [{ id: 'box_1', name: 'attic', heardAt: 800 }]);
    await store.removeBox('box_3', 1000, 2000);
    assert.deepEqual(await store.heardRemovedBoxes(), []);
  },

  async 'removes a pending box and sets a new due time for its peer deletion'(store) {
    await store.insertPendingBox(box('box_1'), 1, 100);
    assert.ok(await store.removeBox('box_1', 700));
    assert.deepEqual(await store.duePeers(1_000, 10), [
      { peerName: 'boxgate-box_1', peerKey: null, dueAt: 700, attempts: 0 },
    ]);
    assert.equal(await store.insertPendingBox(box('box_2'), 1, 100), 'inserted');
  },

  async 'gateway/box/4: stores when boxes were last seen, never an earlier time, and skips unknown ids'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.touchBoxes(new Map());
    await store.touchBoxes(
      new Map([
        ['box_1', 5_000_000_000_000],
        ['box_0', 7],
        ['__proto__', 7],
      ]),
    );
    await store.touchBoxes(
      new Map([
        ['box_1', 4_999_999_999_000],
        ['box_2', 3_600_010],
      ]),
    );
    // The time before is more than an hour ahead of this one.
    await store.touchBoxes(new Map([['box_2', 9]]));
    const boxes = await store.listBoxes();
    assert.deepEqual(
      boxes.map(({ lastSeenAt }) => lastSeenAt),
      [5_000_000_000_000, 9],
    );
  },

  async 'notes that a box was copied, and skips unknown ids'(store) {
    await addLiveBox(store, 'box_1');
    await store.noteCopy('box_1', { from: 'a and b', at: 5_000_000_000_000 });
    await store.noteCopy('box_0', { from: 'a and b', at: 7 });
    const [{ copiedAt, copiedFrom } = assert.fail()] = await store.listBoxes();
    assert.deepEqual([copiedAt, copiedFrom], [5_000_000_000_000, 'a and b']);
  },

  async 'accepts simultaneous heartbeats of the same boxes'(store) {
    const ids = numbers(40).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    await Promise.all(
      numbers(20).map((n) => {
        const order = n % 2 === 0 ? ids : ids.toReversed();
        return store.touchBoxes(new Map(order.map((id) => [id, n])));
      }),
    );
    assert.ok((await store.listBoxes()).every(({ lastSeenAt }) => lastSeenAt === 19));
  },
};
