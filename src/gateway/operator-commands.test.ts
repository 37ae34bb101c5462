import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxLines, listBoxesCommand, removeBox, removeBoxCommand } from './operator-commands.ts';
import { publishRoute } from './routes/routes.ts';
import { file, makeStoreFixture } from './testing/store-fixtures.ts';
import { addBox, makeTestGateway } from './testing/test-gateway.ts';
import { hashOf } from './tokens.ts';

test('gateway/process/29, choice/gateway/107: lists the boxes with address, routes and when they were last seen', async (t) => {
  const gateway = await makeTestGateway(t);
  const { store, clock } = gateway.environment;
  assert.deepEqual(await boxLines(store, clock.ms), ['there are no boxes']);
  const { box } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, { appName: 'n', subdomain: 'n', port: 1 });
  await store.touchBoxes(new Map([[box.id, clock.ms - 90_000]]));
  const pending = { id: 'box_bbb', name: 'Dach\u202e\n', peerName: 'p', createdAt: clock.ms + 1 };
  await store.insertPendingBox(pending, 10, 0);
  assert.deepEqual(await boxLines(store, clock.ms), [
    'ID       NAME               ADDRESS   ROUTES  LAST SEEN',
    'box_a    a                  10.8.0.2  1       90 s ago',
    'box_bbb  Dach\\u{202e}\\u{a}  pending   0       never',
  ]);
});

test('says that boxes share a name', async (t) => {
  const { store } = (await makeTestGateway(t)).environment;
  for (const id of ['box_a', 'box_b', 'box_c']) {
    const name = id === 'box_c' ? 'cellar' : 'attic';
    await store.insertPendingBox({ id, name, peerName: id, createdAt: 1 }, 10, 0);
  }
  const notes = (await boxLines(store, 1)).filter((line) => line.startsWith('note: '));
  assert.deepEqual(notes, ['note: 2 boxes have the name attic; remove those that are no longer in use']);
});

test('shows the time since a box was last seen in a suitable unit', async (t) => {
  const gateway = await makeTestGateway(t);
  const { store } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  const now = Date.UTC(2030, 1, 20);
  for (const [seconds, text] of [
    [-3000, '2030-02-20'],
    [10 * 86_400, '2030-02-10'],
    [172_799, '48 h ago'],
    [7200, '2 h ago'],
    [7199, '120 min ago'],
    [120, '2 min ago'],
    [119, '119 s ago'],
    [-5, '0 s ago'],
  ] as const) {
    await store.touchBoxes(new Map([[box.id, now - seconds * 1000]]));
    const [, line = ''] = await boxLines(store, now);
    assert.ok(line.endsWith(`  ${text}`), line);
  }
});

test('choice/gateway/107: removes a box, its routes and its token, and leaves its peer to the janitor', async (t) => {
  const gateway = await makeTestGateway(t);
  const { store, clock } = gateway.environment;
  const { box, token } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, { appName: 'n', subdomain: 'n', port: 1 });
  const { status, text } = await removeBox(store, box.id, clock.ms);
  assert.equal(status, 0);
  assert.match(text, /^box_a is removed; .*boxgate-box_a/);
  assert.equal(await store.boxOfToken(hashOf(token)), null);
  assert.deepEqual(await store.routesOfBox(box.id), []);
  assert.deepEqual(await store.duePeers(clock.ms + 4999, 10), []);
  const due = await store.duePeers(clock.ms + 5000, 10);
  assert.deepEqual(
    due.map(({ peerName }) => peerName),
    ['boxgate-box_a'],
  );
});

test('a box that does not exist cannot be removed', async (t) => {
  const gateway = await makeTestGateway(t);
  const { store, clock } = gateway.environment;
  assert.deepEqual(await removeBox(store, 'box_\n', clock.ms), { status: 1, text: 'there is no box "box_\\n"' });
  await addBox(gateway, 'a');
  assert.match((await removeBox(store, 'a', clock.ms)).text, /^there is no box "a"; boxes of that name: box_a$/);
});

test('on a file: store, list works while a gateway runs, remove once it is stopped', async (t) => {
  const { address, open } = await makeStoreFixture(file, t);
  const store = await open();
  const box = { id: 'box_a', name: 'a', peerName: 'boxgate-box_a', createdAt: 1 };
  await store.insertPendingBox(box, 10, 0);
  assert.match((await listBoxesCommand(address)).text, /\nbox_a +a +pending +0 +never$/);
  await assert.rejects(
    removeBoxCommand(address, 'box_a'),
    /another process works on the store .* and does not take the removal: stop it first/,
  );
  await store.close();
  assert.equal((await removeBoxCommand(address, 'box_b')).status, 1);
  assert.equal((await removeBoxCommand(address, 'box_a')).status, 0);
  assert.equal((await listBoxesCommand(address)).text, 'there are no boxes');
});

test('creates no file: store that does not exist', async (t) => {
  const { address, open } = await makeStoreFixture(file, t);
  for (const _ of [1, 2])
    await assert.rejects(removeBoxCommand(address, 'box_a'), /^StoreFailed: there is no store at /);
  await (await open()).close();
  assert.equal((await removeBoxCommand(address, 'box_a')).status, 1);
});

test('refuses a store in memory', async () => {
  const address = { kind: 'memory' } as const;
  await assert.rejects(listBoxesCommand(address), { name: 'StoreFailed' });
  await assert.rejects(removeBoxCommand(address, 'box_a'), { name: 'StoreFailed' });
});
