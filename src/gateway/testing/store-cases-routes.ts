import assert from 'node:assert/strict';
import type { PublishedBox } from '../ports.ts';
import {
  addLiveBox,
  box,
  hash,
  idsOfRoutes,
  inPortions,
  live,
  numbers,
  type Obligations,
  route,
} from './store-cases.ts';

export const casesOfRoutes: Obligations = {
  async 'returns the routes of a box, oldest first, whatever the clock said'(store) {
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

  async "keeps a route's access rules, and replaces them for this very route only"(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    const blog = {
      ...route('rt_1', 'box_1', 'blog'),
      access: { login: 'ada', password_hash: '$2b$04$x', allow: ['::1'] },
    };
    await store.insertRoute(blog, 10);
    await store.insertRoute(route('rt_2', 'box_1', 'wiki'), 10);
    const rules = async () => (await store.routesOfBox('box_1')).map(({ access }) => access);
    assert.deepEqual(await rules(), [blog.access, undefined]);
    const wanted = { ...blog, id: 'rt_9', access: { login: 'eve', password_hash: '$2b$04$y' } };
    for (const other of [{ subdomain: 'none' }, { boxId: 'box_2' }, { appName: 'other' }, { port: 1 }]) {
      assert.equal(await store.replaceAccess({ ...wanted, ...other }), null);
    }
    assert.equal(await store.replaceAccess(wanted), 'rt_1');
    assert.deepEqual(await rules(), [wanted.access, undefined]);
    assert.deepEqual((await store.publishedBox('box_1'))?.routes[0]?.access, wanted.access);
    for await (const box of store.publishedBoxes()) assert.deepEqual(box.routes[0]?.access, wanted.access);
  },

  async 'stores a subdomain of digits as text'(store) {
    await addLiveBox(store, 'box_1');
    await store.insertRoute(route('rt_1', 'box_1', '007'), 10);
    assert.equal((await store.routesOfBox('box_1'))[0]?.subdomain, '007');
    assert.equal(await store.insertRoute(route('rt_2', 'box_1', '7'), 10), 'inserted');
  },

  async 'checks the subdomain before the limit'(store) {
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

  async 'gives a subdomain to one of many simultaneous boxes'(store) {
    const ids = numbers(10).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => addLiveBox(store, id)));
    const outcomes = await Promise.all(
      numbers(100).map((n) => store.insertRoute(route(`rt_${n}`, `box_${n % 10}`, 'blog'), 5)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'subdomainTaken').length, 99);
  },

  async 'publishes exactly as many of a hundred simultaneous routes as the limit allows'(store) {
    await addLiveBox(store, 'box_1');
    const outcomes = await Promise.all(
      numbers(100).map((n) => store.insertRoute(route(`rt_${n}`, 'box_1', `name-${n}`), 13)),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 13);
    assert.equal(outcomes.filter((outcome) => outcome === 'limitReached').length, 87);
    assert.equal((await store.routesOfBox('box_1')).length, 13);
  },

  async 'should/gateway/113: leaves no route of a box that is removed at the same moment'(store) {
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
    for await (const { boxId } of store.publishedBoxes()) assert.fail(boxId);
  },

  async 'removes a route for its own box only, and frees its subdomain'(store) {
    await addLiveBox(store, 'box_1');
    await addLiveBox(store, 'box_2');
    await store.insertRoute(route('rt_1', 'box_1', 'blog'), 10);
    assert.equal(await store.removeRoute('rt_1', 'box_2'), null);
    assert.equal(await store.removeRoute('rt_2', 'box_1'), null);
    assert.deepEqual(await idsOfRoutes(store, 'box_1'), ['rt_1']);
    assert.equal(await store.removeRoute('rt_1', 'box_1'), 'blog');
    assert.deepEqual(await idsOfRoutes(store, 'box_1'), []);
    assert.equal(await store.removeRoute('rt_1', 'box_1'), null);
    assert.equal(await store.insertRoute(route('rt_2', 'box_2', 'blog'), 10), 'inserted');
  },

  async 'returns the content of the route file of a box'(store) {
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

  async 'takes the address from a live box when a later box gets it, and unpublishes its routes'(store) {
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

  async 'gives an address to one of many boxes that are activated with it at once'(store) {
    const ids = numbers(12).map((n) => `box_${n}`);
    await Promise.all(ids.map((id) => store.insertPendingBox(box(id), 100, 100)));
    const outcomes = await Promise.all(ids.map((id) => store.activateBox(id, { ...live(id), address: '10.8.0.9' })));
    assert.ok(outcomes.every(({ isLive }) => isLive));
    const holders = (await store.listBoxes()).filter(({ address }) => address === '10.8.0.9');
    assert.equal(holders.length, 1);
    const displaced = outcomes.flatMap((outcome) => outcome.displaced);
    assert.deepEqual(displaced.toSorted(), ids.filter((id) => id !== holders[0]?.id).toSorted());
  },

  async 'iterates over all boxes with routes, sorted by id, in several portions'(store) {
    const ids = numbers(600).map((n) => `box_${String(n).padStart(3, '0')}`);
    await inPortions(ids.toReversed(), (id) => addLiveBox(store, id, 1_000));
    await inPortions(ids.toSpliced(300, 1), async (id) => {
      await store.insertRoute(route(`rt_${id}_1`, id, `one-${id.slice(4)}`), 10);
      await store.insertRoute(route(`rt_${id}_2`, id, `two-${id.slice(4)}`), 10);
    });
    const seen: PublishedBox[] = [];
    for await (const one of store.publishedBoxes()) seen.push(one);
    assert.deepEqual(
      seen.map(({ boxId }) => boxId),
      ids.toSpliced(300, 1),
    );
    assert.deepEqual(seen[456], await store.publishedBox(seen[456]?.boxId ?? ''));
    assert.ok(seen.every(({ routes }) => routes.length === 2));
  },
};
