import assert from 'node:assert/strict';
import { addLiveBox, box, hash, idsOfBoxes, live, numbers, type Obligations, route } from './store-cases.ts';

/** Pending peer deletions, and what gateways share at the tunnel manager. */
export const casesOfPeers: Obligations = {
  async 'returns due peer deletions, the oldest first, up to a limit'(store) {
    for (const [n, dueAt] of [30, 10, 20].entries()) {
      await store.insertPendingBox(box(`box_${n}`), 10, dueAt);
    }
    const due = async (now: number, atMost: number) =>
      (await store.duePeers(now, atMost)).map(({ peerName, attempts }) => `${peerName} ${attempts}`);
    assert.deepEqual(await due(30, 2), ['boxgate-box_1 0', 'boxgate-box_2 0']);
    await store.postponePeer('boxgate-box_1', 25);
    await store.postponePeer('boxgate-box_1', 40);
    assert.deepEqual(await due(30, 9), ['boxgate-box_2 0', 'boxgate-box_0 0']);
    assert.deepEqual(await due(40, 9), ['boxgate-box_2 0', 'boxgate-box_0 0', 'boxgate-box_1 2']);
  },

  async 'returns a deletion that is postponed too far, because the clock was set back'(store) {
    const now = 1_700_000_000_000;
    await store.insertPendingBox(box('box_1'), 10, now + 60_000);
    await store.insertPendingBox(box('box_2'), 10, now + 2 * 3_600_000);
    const due = await store.duePeers(now, 10);
    assert.deepEqual(
      due.map(({ peerName }) => peerName),
      ['boxgate-box_2'],
    );
  },

  async 'reports at a postponement whether the deletion still exists'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    assert.equal(await store.postponePeer('boxgate-box_1', 200), true);
    await addLiveBox(store, 'box_2');
    assert.equal(await store.postponePeer('boxgate-box_2', 200), false);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
  },

  async 'removes a pending box at the first attempt to delete its peer'(store) {
    await store.insertPendingBox(box('box_1'), 2, 100);
    await addLiveBox(store, 'box_2', 2);
    await store.postponePeer('boxgate-box_1', 200);
    await store.postponePeer('boxgate-box_2', 200);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.deepEqual(await store.duePeers(200, 10), [
      { peerName: 'boxgate-box_1', peerKey: null, dueAt: 200, attempts: 1 },
    ]);
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
    assert.equal(await store.insertPendingBox(box('box_3'), 2, 100), 'inserted');
  },

  async 'ends a deletion together with its pending box, and keeps a live box'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    await addLiveBox(store, 'box_2');
    await store.settlePeer('boxgate-box_1');
    await store.settlePeer('boxgate-box_2');
    await store.settlePeer('boxgate-box_3');
    assert.deepEqual(await store.duePeers(1_000, 10), []);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
  },

  async 'stores the sealed session of the tunnel manager'(store) {
    assert.equal(await store.readSession(), null);
    await store.writeSession(hash('sealed'));
    assert.deepEqual(Buffer.from((await store.readSession()) ?? []), Buffer.from(hash('sealed')));
    await store.writeSession(null);
    assert.equal(await store.readSession(), null);
  },

  async 'returns the age of an open login until its end or a new session'(store) {
    assert.equal(await store.openLoginMs(), null);
    await store.noteLogin('begins');
    const ms = await store.openLoginMs();
    assert.ok(ms !== null && ms >= 0 && ms < 60_000, `${ms}`);
    await store.noteLogin('has ended');
    assert.equal(await store.openLoginMs(), null);
    await store.noteLogin('begins');
    await store.writeSession(hash('sealed'));
    assert.equal(await store.openLoginMs(), null);
  },

  async 'runs exclusive work one at a time, also after failures'(store) {
    let inside = 0;
    const outcomes = await Promise.allSettled(
      numbers(8).map((n) =>
        store.exclusively(async () => {
          inside += 1;
          assert.equal(inside, 1);
          await store.readSession();
          inside -= 1;
          if (n === 3) throw new Error('failed');
          return n;
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
      [0, 1, 2, 'failed', 4, 5, 6, 7],
    );
  },

  async 'does not wait for other processes if there are none'(store) {
    await addLiveBox(store, 'box_1');
    await store.onRoutesChanged(async () => assert.fail('there is no other process'));
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    const startedAt = performance.now();
    await store.syncedElsewhere();
    assert.ok(performance.now() - startedAt < 900);
  },
};
