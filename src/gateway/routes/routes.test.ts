import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deregisterBox } from '../boxes/boxes.ts';
import { addBox, breakable, full, makeTestEnvironment, makeTestGateway, refusalOf } from '../testing/test-gateway.ts';
import { listRoutes, publishRoute, unpublishRoute } from './routes.ts';

const wanted = (subdomain: string) => ({ appName: 'Notes', subdomain, port: 8080 });

test('new access rules replace those of the route that the box has, and keep its id', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  const access = (letter: string) => ({ login: 'ada', password_hash: `$2b$04$${letter.repeat(53)}` });
  const { id } = await publishRoute(gateway, box, wanted('notes'));
  for (const letter of ['a', 'b']) {
    const route = await publishRoute(gateway, box, { ...wanted('notes'), access: access(letter) });
    assert.deepEqual([route.id, route.access], [id, { login: 'ada' }]);
    assert.ok(gateway.environment.files.texts.get(box.id)?.includes(`"ada:${access(letter).password_hash}"`));
    assert.deepEqual((await listRoutes(gateway, box)).routes, [route]);
  }
  const { box: other } = await addBox(gateway, 'b');
  const theirs = publishRoute(gateway, other, { ...wanted('notes'), access: access('c') });
  assert.equal(await refusalOf(theirs), 'subdomainInUse');
  const faulty = publishRoute(gateway, box, { ...wanted('x'), access: { allow: ['1.2.3.4/99'] } });
  assert.equal(await refusalOf(faulty), 'routeInvalid');
});

test('choice/gateway/73: refuses a too long host before any look-up', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { domain: 'd'.repeat(250), routeLimit: 0 } });
  const { box } = await addBox(gateway, 'a');
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('aaa'))), 'routeInvalid');
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('aa'))), 'routeLimitExceeded');
});

test('choice/gateway/310: refuses a reserved subdomain before any look-up', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { routeLimit: 0 } });
  const { box } = await addBox(gateway, 'a');
  for (const name of ['gateway', 'vpn']) {
    assert.equal(await refusalOf(publishRoute(gateway, box, wanted(name))), 'subdomainReserved');
  }
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('vpn2'))), 'routeLimitExceeded');
});

test('gateway/publishRoute/6, gateway/publishRoute/7, choice/gateway/79, choice/gateway/15: checks the subdomain before the limit', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { routeLimit: 1 } });
  const { box } = await addBox(gateway, 'a');
  const other = await addBox(gateway, 'b');
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('a'))), 'none');
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('a'))), 'subdomainInUse');
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('b'))), 'routeLimitExceeded');
  assert.equal(await refusalOf(publishRoute(gateway, other.box, wanted('a'))), 'subdomainInUse');
});

test('a box that was removed meanwhile gets an invalid token', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  await deregisterBox(gateway, box);
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('a'))), 'invalidBoxToken');
});

test('choice/gateway/88: removes the route if its file cannot be written', async (t) => {
  const gateway = await makeTestGateway(t);
  const { files } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, wanted('a'));
  const before = files.texts.get(box.id);
  files.fails = full;
  await assert.rejects(publishRoute(gateway, box, wanted('b')), full);
  assert.equal((await listRoutes(gateway, box)).routes.length, 1);
  files.fails = null;
  assert.equal(files.texts.get(box.id), before);
  assert.equal(await refusalOf(publishRoute(gateway, box, wanted('b'))), 'none');
});

test('corrects a file that was written although the write failed', async (t) => {
  const gateway = await makeTestGateway(t);
  const { files } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  const { put } = files;
  files.put = async (...args) => {
    await put(...args);
    files.put = put;
    throw full;
  };
  await assert.rejects(publishRoute(gateway, box, wanted('a')), full);
  assert.deepEqual([...files.texts], []);
});

test('choice/gateway/88: an unpublished route stays removed if its file cannot be written', async (t) => {
  const gateway = await makeTestGateway(t);
  const { files, clock } = gateway.environment;
  const { box } = await addBox(gateway, 'a');
  const { id } = await publishRoute(gateway, box, wanted('a'));
  files.fails = full;
  await assert.rejects(unpublishRoute(gateway, box, id), full);
  assert.deepEqual(await listRoutes(gateway, box), { routes: [] });
  assert.equal(files.texts.size, 1);
  files.fails = null;
  await clock.pass(5000);
  assert.equal(files.texts.size, 0);
});

test('choice/gateway/18: a failing store leaves no file', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  const { box } = await addBox(gateway, 'a');
  broken.add('insertRoute');
  await assert.rejects(publishRoute(gateway, box, wanted('a')), /no insertRoute/);
  assert.deepEqual([...environment.files.texts], []);
});
