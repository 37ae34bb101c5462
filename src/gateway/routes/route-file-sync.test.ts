import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deregisterBox } from '../boxes/boxes.ts';
import { addBox, full, makeTestGateway, settled, type TestGateway } from '../testing/test-gateway.ts';
import { makeRouteFileSync } from './route-file-sync.ts';
import { publishRoute, unpublishRoute } from './routes.ts';

const wanted = (subdomain: string) => ({ appName: 'Notes', subdomain, port: 8080 });

async function withRoutes(gateway: TestGateway, name: string, count: number) {
  const { box } = await addBox(gateway, name);
  for (let i = 0; i < count; i += 1) await publishRoute(gateway, box, wanted(`${name}${i}`));
  return box;
}

/** The hosts in a box's file, in order. */
function hostsIn({ environment }: TestGateway, boxId: string): string[] {
  return [...(environment.files.texts.get(boxId) ?? '').matchAll(/Host\(`([^`]+)`\)/g)].map(([, host = '']) => host);
}

test('a start fails if a file cannot be written', async (t) => {
  const gateway = await makeTestGateway(t);
  await withRoutes(gateway, 'a', 1);
  gateway.environment.files.fails = full;
  await assert.rejects(gateway.routeFileSync.updateAll(), full);
});

test('a start with many boxes limits simultaneous writes and reports its progress', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { boxLimit: 1000 } });
  const { files, clock, warnings } = gateway.environment;
  for (let i = 0; i < 100; i += 1) await withRoutes(gateway, `a${i}`, 1);
  let underWay = 0;
  let most = 0;
  const slow = {
    ...files,
    async put() {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      clock.ms += 100;
      underWay -= 1;
    },
  };
  const ports = { ...gateway, routeFiles: slow };
  const options = { domain: 'x', entrypoint: 'y', certResolver: null };
  await makeRouteFileSync(ports, options, async () => undefined).updateAll();
  assert.ok(most <= 32 && most > 1, String(most));
  assert.match(warnings.join('\n'), /^updating the route files: \d+ of 100 boxes$/m);
});

test('simultaneous changes of a box leave the newest content, in whatever order they end', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { routeLimit: 100 } });
  const { files } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  const { put } = files;
  let turn = 0;
  files.put = async (...args) => {
    turn += 1;
    for (let i = 0; i < 10 - (turn % 10); i += 1) await new Promise(setImmediate);
    return put(...args);
  };
  const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
  await Promise.all(
    names.map(async (name, i) => {
      for (let n = 0; n < i % 7; n += 1) await new Promise(setImmediate);
      await publishRoute(gateway, box, wanted(name));
      assert.ok(hostsIn(gateway, box.id).includes(`${name}.example.org`), 'answered before it was in the file');
    }),
  );
  assert.equal(hostsIn(gateway, box.id).length, 40);
  assert.ok(files.puts < 40, 'changes at once share writes');
});

test('a withdrawn box has no file until it is restored', async (t) => {
  const gateway = await makeTestGateway(t);
  const box = await withRoutes(gateway, 'a', 1);
  await gateway.routeFileSync.withdraw(box.id);
  await publishRoute(gateway, box, wanted('b'));
  assert.deepEqual(hostsIn(gateway, box.id), []);
  await gateway.routeFileSync.restore(box.id);
  assert.deepEqual(hostsIn(gateway, box.id), ['a0.example.org', 'b.example.org']);
});

test('updates all boxes, also during changes', async (t) => {
  const gateway = await makeTestGateway(t);
  const { files } = gateway.environment;
  const a = await withRoutes(gateway, 'a', 1);
  const b = await withRoutes(gateway, 'b', 1);
  files.texts.set('box_gone', 'left over');
  files.texts.delete(a.id);
  await Promise.all([gateway.routeFileSync.updateAll(), publishRoute(gateway, b, wanted('new'))]);
  await settled();
  assert.deepEqual([...files.texts.keys()].sort(), [a.id, b.id]);
  assert.deepEqual(hostsIn(gateway, b.id), ['b0.example.org', 'new.example.org']);
});

test('choice/gateway/568: each change of a route file starts a search for invalid files', async (t) => {
  const gateway = await makeTestGateway(t);
  const { files, clock, warnings } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  const { id } = await publishRoute(gateway, box, wanted('a'));
  const told = async (name: string, change: () => Promise<unknown>) => {
    for (let looks = 0; looks < 2; looks += 1) await clock.pass(1000); // Lets earlier searches finish.
    files.invalidFiles = async () => [{ name, reason: 'it is no map' }];
    await change();
    await settled();
    assert.match(warnings.at(-1) ?? '', new RegExp(`^the file "${name}" .* it is no map$`));
  };
  await told('publish.yml', () => publishRoute(gateway, box, wanted('b')));
  await told('unpublish.yml', () => unpublishRoute(gateway, box, id));
  await told('deregister.yml', () => deregisterBox(gateway, box));
  await told('others.yml', () => gateway.routeFileSync.update('box_elsewhere'));
});
