import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { NewBox, NewRoute, PublishedBox, Store } from '../ports.ts';
import { file, memory, postgres, standIn } from '../testing/stores.ts';

/** What every store promises, whatever it is made of. */
const obligations: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  async 'inserts boxes up to the limit, pending ones counted'(store) {
    assert.equal(await store.insertPendingBox(box('box_1'), 2, 100), 'inserted');
    await addLiveBox(store, 'box_2');
    assert.equal(await store.insertPendingBox(box('box_3'), 2, 100), 'limitReached');
    assert.deepEqual(await idsOfBoxes(store), ['box_1', 'box_2']);
    assert.equal(await store.insertPendingBox(box('box_3'), 0, 100), 'limitReached');
  },

  async 'inserts exactly as many as the limit allows of a hundred at once'(store) {
    const outcomes = await Promise.all(
      numbers(100).map((n) => store.insertPendingBox(box(`box_${n}`), 37, 100)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 37);
    assert.equal((await store.listBoxes()).length, 37);
  },

  async 'enters the peer of a pending box in the ledger and takes it out when the box is live'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    assert.deepEqual(await store.duePeers(99, 10), []);
    assert.deepEqual(await store.duePeers(100, 10), [{ peerName: 'boxgate-box_1', dueAt: 100, attempts: 0 }]);
    assert.deepEqual(await store.activateBox('box_1', live('box_1')), { isLive: true, displaced: [] });
    assert.deepEqual(await store.duePeers(100, 10), []);
  },

  async 'makes only a pending box live'(store) {
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
    await addLiveBox(store, 'box_1');
    assert.equal(
      (await store.activateBox('box_1', { ...live('box_1'), tokenHash: hash('other') })).isLive,
      false,
    );
    assert.equal(await store.boxOfToken(hash('other')), null);
  },

  async 'gateway/service/14: keeps what it is told of a box'(store) {
    const name = `Ω's "box" $1 -- \\ %s ☃`;
    await store.insertPendingBox({ ...box('box_1'), name, createdAt: 1_790_000_000_123 }, 10, 100);
    const pending = {
      id: 'box_1',
      accountId: store.accountId,
      name,
      peerName: 'boxgate-box_1',
      state: 'pending',
      peerId: null,
      address: null,
      createdAt: 1_790_000_000_123,
      lastSeenAt: null,
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
        address: '10.8.0.2 of box_1',
        lastSeenAt: 1_790_000_000_456,
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

  async 'finds many tokens that are asked for at once, each its own'(store) {
    const ids = numbers(50).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    const found = await Promise.all([...ids, 'nobody', ...ids].map((id) => store.boxOfToken(hash(id))));
    assert.deepEqual(
      found.map((one) => one?.id ?? null),
      [...ids, null, ...ids],
    );
  },

  async 'refuses a token from the moment in which it was replaced'(store) {
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
    const outcomes = await Promise.all(
      names.map((name) => store.replaceToken('box_1', hash('box_1'), hash(name))),
    );
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

    assert.equal(await store.removeBox('box_1', 700), true);
    assert.equal(await store.boxOfToken(hash('box_1')), null);
    assert.deepEqual(await store.routesOfBox('box_1'), []);
    assert.equal(await store.publishedBox('box_1'), null);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.deepEqual(await store.duePeers(700, 10), [{ peerName: 'boxgate-box_1', dueAt: 700, attempts: 0 }]);
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'blog'), 10), 'inserted');
    assert.equal(await store.removeBox('box_1', 900), false);
  },

  async 'removes a pending box, whose peer becomes due anew'(store) {
    await store.insertPendingBox(box('box_1'), 1, 100);
    assert.equal(await store.removeBox('box_1', 700), true);
    assert.deepEqual(await store.duePeers(1_000, 10), [
      { peerName: 'boxgate-box_1', dueAt: 700, attempts: 0 },
    ]);
    assert.equal(await store.insertPendingBox(box('box_2'), 1, 100), 'inserted');
  },

  async 'gateway/box/4: notes when boxes were last seen, never an earlier time, and passes over unknown ids'(
    store,
  ) {
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
        ['box_1', 4_000_000_000_000],
        ['box_2', 9],
      ]),
    );
    const boxes = await store.listBoxes();
    assert.deepEqual(
      boxes.map(({ lastSeenAt }) => lastSeenAt),
      [5_000_000_000_000, 9],
    );
  },

  async 'takes touches of the same boxes from many at once'(store) {
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

  async 'answers the routes of a box, oldest first, whatever the clock said'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    const inserted = ['rt_c', 'rt_a', 'rt_b'].map((id, n) => ({
      ...route(id, 'box_1', `name-${id.at(-1)}`),
      createdAt: 100 - n,
    }));
    for (const one of inserted) assert.equal(await store.insertRoute(one, 10), 'inserted');
    await store.insertRoute(route('rt_d', 'box_2', 'other'), 10);
    assert.deepEqual(
      await store.routesOfBox('box_1'),
      inserted.map(({ createdAt: _, ...rest }) => ({ ...rest, accountId: store.accountId })),
    );
    await store.removeRoute('rt_b', 'box_1');
    await store.insertRoute(route('rt_e', 'box_1', 'name-e'), 10);
    assert.deepEqual(await idsOfRoutes(store, 'box_1'), ['rt_c', 'rt_a', 'rt_e']);
    assert.deepEqual(await store.routesOfBox('box_9'), []);
  },

  async 'keeps a subdomain of digits as the text it is'(store) {
    await addLiveBox(store, 'box_1');
    await store.insertRoute(route('rt_1', 'box_1', '007'), 10);
    assert.equal((await store.routesOfBox('box_1'))[0]?.subdomain, '007');
    assert.equal(await store.insertRoute(route('rt_2', 'box_1', '7'), 10), 'inserted');
  },

  async 'looks for the subdomain before it counts'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 1);
    assert.equal(await store.insertRoute(route('rt_2', 'box_1', 'blog'), 1), 'subdomainTaken');
    assert.equal(await store.insertRoute(route('rt_2', 'box_1', 'wiki'), 1), 'limitReached');
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'blog'), 0), 'subdomainTaken');
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'wiki'), 0), 'limitReached');
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'wiki'), 1), 'inserted');
  },

  async 'publishes for a live box only'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    await addLiveBox(store, 'box_2');
    await store.removeBox('box_2', 100);
    for (const boxId of ['box_0', 'box_1', 'box_2']) {
      assert.equal(await store.insertRoute(route('rt_1', boxId, 'blog'), 10), 'boxGone');
    }
  },

  async 'gives a subdomain to one of many boxes that want it at once'(store) {
    const ids = numbers(10).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    const outcomes = await Promise.all(
      numbers(100).map((n) => store.insertRoute(route(`rt_${n}`, `box_${n % 10}`, 'blog'), 5)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'subdomainTaken').length, 99);
  },

  async 'publishes exactly as many routes as the limit allows of a hundred at once'(store) {
    await addLiveBox(store, 'box_1');
    const outcomes = await Promise.all(
      numbers(100).map((n) => store.insertRoute(route(`rt_${n}`, 'box_1', `name-${n}`), 13)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 13);
    assert.equal(outcomes.filter((outcome) => outcome === 'limitReached').length, 87);
    assert.equal((await store.routesOfBox('box_1')).length, 13);
  },

  async 'choice/gateway/113: leaves no route behind when its box is removed at that moment'(store) {
    const ids = numbers(20).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    await Promise.all(
      ids.flatMap((id) => [
        store.insertRoute(route(`rt_a_${id}`, id, `a-${id.slice(4)}`), 10),
        store.removeBox(id, 100),
        store.insertRoute(route(`rt_b_${id}`, id, `b-${id.slice(4)}`), 10),
      ]),
    );
    assert.deepEqual(await store.listBoxes(), []);
    assert.equal(await store.countPublishedBoxes(), 0);
  },

  async 'removes a route of its own box only, and its name is free'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    assert.equal(await store.removeRoute('rt_1', 'box_2'), false);
    assert.equal(await store.removeRoute('rt_2', 'box_1'), false);
    assert.deepEqual(await idsOfRoutes(store, 'box_1'), ['rt_1']);
    assert.equal(await store.removeRoute('rt_1', 'box_1'), true);
    assert.deepEqual(await idsOfRoutes(store, 'box_1'), []);
    assert.equal(await store.removeRoute('rt_1', 'box_1'), false);
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'blog'), 10), 'inserted');
  },

  async 'says what the route file of a box holds'(store) {
    await addLiveBox(store, 'box_1');
    assert.equal(await store.publishedBox('box_1'), null);
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    assert.deepEqual(await store.publishedBox('box_1'), {
      boxId: 'box_1',
      address: '10.8.0.2 of box_1',
      routes: await store.routesOfBox('box_1'),
    });
    await store.removeRoute('rt_1', 'box_1');
    assert.equal(await store.publishedBox('box_1'), null);
    assert.equal(await store.publishedBox('box_9'), null);
  },

  async 'takes the address of a live box away when a later one has it, and with it what is published'(store) {
    for (const id of ['box_1', 'box_2']) {
      await addLiveBox(store, id);
      await store.insertRoute(route(`rt_${id}`, id, `name-of-${id}`), 10);
    }
    assert.notEqual(await store.publishedBox('box_1'), null);
    await store.insertPendingBox(box('box_3'), 10, 100);
    const { address } = live('box_1');
    assert.deepEqual(await store.activateBox('box_3', { ...live('box_3'), address }), {
      isLive: true,
      displaced: ['box_1'],
    });
    await store.insertRoute(route('rt_3', 'box_3', 'mine'), 10);

    assert.equal(await store.publishedBox('box_1'), null);
    assert.equal((await store.publishedBox('box_3'))?.address, address);
    const published: string[] = [];
    for await (const { boxId } of store.publishedBoxes()) published.push(boxId);
    assert.deepEqual(published, ['box_2', 'box_3']);
    assert.equal((await store.listBoxes())[0]?.address, null);
    assert.equal((await store.boxOfToken(hash('box_1')))?.id, 'box_1');
    assert.equal((await store.routesOfBox('box_1')).length, 1);

    await store.removeBox('box_3', 100);
    assert.equal(await store.publishedBox('box_1'), null);
  },

  async 'gives an address to one of many that come live with it at once'(store) {
    const ids = numbers(12).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => store.insertPendingBox(box(id), 100, 100)));
    const outcomes = await Promise.all(
      ids.map((id) => store.activateBox(id, { ...live(id), address: '10.8.0.9' })),
    );
    assert.ok(outcomes.every(({ isLive }) => isLive));
    const holders = (await store.listBoxes()).filter(({ address }) => address === '10.8.0.9');
    assert.equal(holders.length, 1);
    const displaced = outcomes.flatMap((outcome) => outcome.displaced);
    assert.deepEqual(displaced.toSorted(), ids.filter((id) => id !== holders[0]?.id).toSorted());
  },

  async 'goes through all boxes with routes, sorted by id, over several portions'(store) {
    const ids = numbers(600).map((n) => `box_${String(n).padStart(3, '0')}`);
    await Promise.all(ids.toReversed().map((id) => addLiveBox(store, id, 1_000)));
    await Promise.all(
      ids.flatMap((id, n) =>
        n === 300
          ? []
          : [
              store.insertRoute(route(`rt_${id}_1`, id, `one-${n}`), 10),
              store.insertRoute(route(`rt_${id}_2`, id, `two-${n}`), 10),
            ],
      ),
    );
    const seen: PublishedBox[] = [];
    for await (const one of store.publishedBoxes()) seen.push(one);
    assert.deepEqual(
      seen.map(({ boxId }) => boxId),
      ids.toSpliced(300, 1),
    );
    assert.equal(await store.countPublishedBoxes(), 599);
    assert.deepEqual(seen[456], await store.publishedBox(seen[456]?.boxId ?? ''));
    assert.ok(seen.every(({ routes }) => routes.length === 2));
  },

  async 'hands out due peers, the longest due first, and no more than asked'(store) {
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

  async 'hands out as due what is put off further than anything is: the clock has gone back'(store) {
    const now = 1_700_000_000_000;
    await store.insertPendingBox(box('box_1'), 10, now + 60_000);
    await store.insertPendingBox(box('box_2'), 10, now + 2 * 3_600_000);
    const due = await store.duePeers(now, 10);
    assert.deepEqual(
      due.map(({ peerName }) => peerName),
      ['boxgate-box_2'],
    );
  },

  async 'says of a peer that is postponed whether it stands in the ledger still'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    assert.equal(await store.postponePeer('boxgate-box_1', 200), true);
    await addLiveBox(store, 'box_2');
    assert.equal(await store.postponePeer('boxgate-box_2', 200), false);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
  },

  async 'frees the place of a pending box at the first attempt to remove its peer'(store) {
    await store.insertPendingBox(box('box_1'), 2, 100);
    await addLiveBox(store, 'box_2', 2);
    await store.postponePeer('boxgate-box_1', 200);
    await store.postponePeer('boxgate-box_2', 200);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.deepEqual(await store.duePeers(200, 10), [{ peerName: 'boxgate-box_1', dueAt: 200, attempts: 1 }]);
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
    assert.equal(await store.insertPendingBox(box('box_3'), 2, 100), 'inserted');
  },

  async 'settles a peer with the pending box that it was made for, and leaves a live one'(store) {
    await store.insertPendingBox(box('box_1'), 10, 100);
    await addLiveBox(store, 'box_2');
    await store.settlePeer('boxgate-box_1');
    await store.settlePeer('boxgate-box_2');
    await store.settlePeer('boxgate-box_3');
    assert.deepEqual(await store.duePeers(1_000, 10), []);
    assert.deepEqual(await idsOfBoxes(store), ['box_2']);
    assert.equal((await store.activateBox('box_1', live('box_1'))).isLive, false);
  },

  async 'keeps the sealed session of the tunnel manager'(store) {
    assert.equal(await store.readSession(), null);
    await store.writeSession(hash('sealed'));
    assert.deepEqual(Buffer.from((await store.readSession()) ?? []), Buffer.from(hash('sealed')));
    await store.writeSession(null);
    assert.equal(await store.readSession(), null);
  },

  async 'runs exclusive work one at a time, also after some that failed'(store) {
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

  async 'does not wait for anybody when nobody shares it'(store) {
    await addLiveBox(store, 'box_1');
    await store.onRoutesChanged(async () => assert.fail('there is nobody else'));
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    const startedAt = performance.now();
    await store.mirroredElsewhere();
    assert.ok(performance.now() - startedAt < 900);
  },
};

for (const kind of [memory, file, postgres]) {
  describe(`the store on ${kind.name}`, { skip: kind.skip }, () => {
    for (const [obligation, holds] of Object.entries(obligations)) {
      it(obligation, async (t) => holds(await (await standIn(kind, t)).open()));
    }
  });
}

function box(id: string): NewBox {
  return { id, name: 'attic', peerName: `boxgate-${id}`, createdAt: 5 };
}

/** What makes a box live; the hash is that of its id, and the address as well, as far as a test tells them apart. */
function live(id: string): { tokenHash: Uint8Array; peerId: string; address: string } {
  return { tokenHash: hash(id), peerId: `peer of ${id}`, address: `10.8.0.2 of ${id}` };
}

function route(id: string, boxId: string, subdomain: string): NewRoute {
  return { id, boxId, appName: 'app', subdomain, port: 8_080, createdAt: 5 };
}

async function addLiveBox(store: Store, id: string, limit = 100): Promise<void> {
  assert.equal(await store.insertPendingBox(box(id), limit, 100), 'inserted');
  assert.equal((await store.activateBox(id, live(id))).isLive, true);
}

async function idsOfBoxes(store: Store): Promise<string[]> {
  return (await store.listBoxes()).map(({ id }) => id);
}

async function idsOfRoutes(store: Store, boxId: string): Promise<string[]> {
  return (await store.routesOfBox(boxId)).map(({ id }) => id);
}

function hash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
