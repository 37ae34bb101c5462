import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTestBox } from '../testing/test-box.ts';
import { makeAddresses } from './make-addresses.ts';
import { ownersAddresses } from './owners-addresses.ts';
import { TunnelProblem } from './ports.ts';
import { publicNames } from './public-names.ts';
import {
  appContainer,
  joinedTunnel,
  publish,
  type TunnelInFolder,
  tunnelInFolder,
} from './testing/tunnel-in-folder.ts';

/** The public addresses of a box with two apps. */
function addressesIn(t: TestContext, { tunnel }: Pick<TunnelInFolder, 'tunnel'>, withinMs?: number) {
  const testBox = makeTestBox();
  t.after(testBox.dispose);
  const notes = testBox.installed('notes');
  const feeds = testBox.installed('feeds');
  const addresses = { ...publicNames(tunnel, withinMs), ...ownersAddresses(tunnel, testBox.box, 7000) };
  return { addresses, notes, feeds };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

/** A box that has published an app and then removed it. */
async function removedApp(t: TestContext): Promise<TunnelInFolder> {
  const box = await joinedTunnel(t);
  const appDirectory = join(box.folder, 'apps', 'notes');
  mkdirSync(appDirectory, { recursive: true });
  await publish(box.tunnel, { app: 'notes', subdomain: 'notes', port: 5230, appDirectory });
  rmSync(appDirectory, { recursive: true });
  return box;
}

test('choice/gateway/315: withdraws the route of a removed app, and says so', async (t) => {
  const box = await removedApp(t);
  assert.deepEqual(await addressesIn(t, box).addresses.withdrawRemoved(), [
    'notes.example.test is not published any more: its app was removed',
  ]);
  assert.deepEqual(box.gateway.routes, []);
  assert.deepEqual(await addressesIn(t, box).addresses.withdrawRemoved(), []);
});

test('choice/gateway/315: reports an unreachable gateway without failing the removal', async (t) => {
  const box = await removedApp(t);
  await box.gateway.close();
  const [line = '', ...others] = await addressesIn(t, box).addresses.withdrawRemoved();
  assert.match(
    line,
    /^the public route of a removed app is not withdrawn yet: no answer from .*ECONNREFUSED; boxgate-heartbeat\.timer tries again$/,
  );
  assert.deepEqual(others, []);
});

test('choice/gateway/315: a gateway that does not answer delays the removal only for a limited time', async (t) => {
  const box = await removedApp(t);
  box.gateway.answerAll = new Promise(() => undefined);
  const [line = ''] = await addressesIn(t, box, 100).addresses.withdrawRemoved();
  assert.match(line, /not withdrawn yet: it takes longer than 0\.1 s;/);
});

/** A box with an app that is published and runs, and the lines of its journal. */
async function publishedApp(t: TestContext) {
  const box = await joinedTunnel(t);
  const appDirectory = join(box.folder, 'apps', 'notes');
  mkdirSync(appDirectory, { recursive: true });
  box.apps.containers = [appContainer(appDirectory, 5230)];
  await publish(box.tunnel, { app: 'notes', subdomain: 'notes', port: 5230, appDirectory });
  box.warnings.length = 0;
  const shut = () => box.tunnel.files.openPorts.read()[0]?.shut ?? null;
  return { ...box, appDirectory, lines: box.warnings, shut, routes: addressesIn(t, box).addresses };
}

test('a published port is closed while its app changes, and opened after it', async (t) => {
  const { routes, shut, appDirectory, lines, apps } = await publishedApp(t);
  await routes.hold(appDirectory);
  assert.equal(shut(), 'changing');
  await routes.release(appDirectory);
  await until(() => shut() === null);
  const { containers } = apps;
  // Until Docker answers, the port stays closed.
  apps.containers = null;
  routes.shut(appDirectory);
  await until(() => shut() === 'unverified');
  apps.containers = containers;
  routes.follow();
  await until(() => shut() === null);
  assert.deepEqual(lines, []);
});

test('a name follows its app in the background, and the journal has it; a failure is told once', async (t) => {
  const box = await publishedApp(t);
  await box.gateway.close();
  box.apps.containers = [appContainer(box.appDirectory, 5240)];
  box.routes.follow();
  box.routes.follow();
  await until(() => box.lines.length > 0);
  assert.match(
    box.lines.join(),
    /^public names do not follow their apps yet: no answer from .*; boxgate-heartbeat\.timer/,
  );
  box.apps.containers = null;
  box.routes.follow();
  await until(() => box.shut() === 'unverified');
  assert.equal(box.lines.length, 1);
});

test('a change of an app goes on if its port cannot be closed, and the journal has it', async (t) => {
  const box = await publishedApp(t);
  writeFileSync(join(box.folder, 'tunnel-ports.json'), 'damaged');
  await box.routes.hold(box.appDirectory);
  assert.match(box.lines.join(), /^the published ports of .*notes stay as they are: .*tunnel-ports\.json: expected/);
});

/** The public addresses as the box makes them, on the files of a tunnel. */
function madeIn(t: TestContext, { folder }: TunnelInFolder) {
  const testBox = makeTestBox();
  t.after(testBox.dispose);
  const box = { ...testBox.box, stateDirectory: folder, changes: { isUnderWay: async () => false } };
  return makeAddresses(box, 7000);
}

test('the public addresses of apps are read again only after a change', async (t) => {
  const box = await publishedApp(t);
  const { tunnel, appDirectory, folder } = box;
  const { urls } = madeIn(t, box);
  const first = urls();
  assert.deepEqual([...first], [[appDirectory, ['https://notes.example.test']]]);
  assert.equal(urls(), first);
  await publish(tunnel, { app: 'notes', subdomain: 'memo', port: 5230, appDirectory });
  assert.equal(urls().get(appDirectory)?.length, 2);
  writeFileSync(join(folder, 'tunnel-ports.json'), 'damaged');
  assert.deepEqual([...urls()], []);
  rmSync(join(folder, 'tunnel-ports.json'));
  assert.deepEqual([...urls()], []);
});

test('a box without publications holds and withdraws nothing', async (t) => {
  const addresses = madeIn(t, await tunnelInFolder(t));
  addresses.follow();
  await addresses.hold('/apps/notes');
  await addresses.release('/apps/notes');
  assert.deepEqual(await addresses.withdrawRemoved(), []);
  assert.deepEqual([...addresses.urls()], []);
  assert.equal(await addresses.problems(), null);
});

test('a box closes the ports of an app before a change, and opens them once it sees the app', async (t) => {
  const box = await publishedApp(t);
  const { hold, release } = madeIn(t, box);
  await hold(box.appDirectory);
  assert.equal(box.shut(), 'changing');
  await release(box.appDirectory);
  await until(() => box.shut() === 'unverified');
});

const asBefore = { port: null, login: null, allow: null, openPaths: null };

test('a box joins a gateway, publishes and withdraws, and a failure is a refusal without the token', async (t) => {
  const box = await tunnelInFolder(t);
  const { gateway, tunnel } = box;
  let starts = 0;
  tunnel.wireGuard.bringUp = async () => {
    starts += 1;
  };
  const { addresses, notes } = addressesIn(t, box);
  assert.deepEqual(
    [await addresses.show(), await addresses.ofApp('notes'), await addresses.problems()],
    [null, null, null],
  );
  const request = { gateway: gateway.url, name: 'attic', token: 'not-this-one' };
  await assert.rejects(addresses.join(request), (error: Error) => !error.message.includes(request.token));
  await assert.rejects(
    addresses.join({ ...request, gateway: 'http://example.org' }),
    /expected an address that is https:/,
  );
  assert.equal(starts, 0);
  const { ok, text } = await addresses.join({ ...request, token: gateway.registrationToken });
  assert.ok(ok, text);
  assert.match(text, /^this box has joined http:\/\/127\.0\.0\.1:\d+ as /);
  assert.equal(starts, 1);

  assert.deepEqual(await addresses.ofApp('notes'), []);
  box.apps.containers = [appContainer(notes, 5230)];
  const published = await addresses.publish({ app: 'notes', subdomain: 'notes', ...asBefore, port: 5230 });
  assert.match(published.text, /^notes is published at https:\/\/notes\.example\.test and answers\nnothing listens on/);
  assert.equal(published.password, '');
  const shown = await addresses.show();
  assert.deepEqual(
    shown?.routes.map(({ host, app, port }) => [host, app, port]),
    [['notes.example.test', 'notes', 5230]],
  );
  assert.equal(shown?.boxName, 'attic');
  const rules = { port: 5231, login: 'ada', allow: '203.0.113.0/24', openPaths: '/api/*,/ping' };
  for (const wrong of [{ login: 'a:b' }, { allow: 'attic' }, { openPaths: 'no' }]) {
    await assert.rejects(addresses.publish({ app: 'feeds', subdomain: 'feeds', ...rules, ...wrong }), /expected /);
  }
  const guarded = await addresses.publish({ app: 'feeds', subdomain: 'feeds', ...rules });
  assert.match(guarded.password, /^[0-9a-f]{32}$/);
  assert.ok(!guarded.text.includes(guarded.password));
  assert.deepEqual(await addresses.ofApp('feeds'), [
    {
      host: 'feeds.example.test',
      url: 'https://feeds.example.test',
      app: 'feeds',
      port: 5231,
      access: 'login ada, only from 203.0.113.0/24, without login /api/* /ping',
    },
  ]);
  assert.match((await addresses.withdraw('notes.example.test')).text, /is not published any more/);
  await assert.rejects(addresses.withdraw('notes.example.test'), /this box has no route/);
});

test('without a port, the one that the app publishes is taken, and the port of the box is refused', async (t) => {
  const box = await joinedTunnel(t);
  const { addresses } = addressesIn(t, box);
  const publication = { app: 'notes', subdomain: 'notes', ...asBefore };
  await assert.rejects(addresses.publish(publication), /notes publishes no port now: it does not run/);
  await assert.rejects(addresses.publish({ ...publication, app: 'nots' }), /nots is no installed app with a manifest/);
  await assert.rejects(addresses.publish({ ...publication, port: 7000 }), /port 7000 is the box's management page/);
});

test('a tunnel that does not start is told with the command that starts it', async (t) => {
  const box = await tunnelInFolder(t);
  box.tunnel.wireGuard.bringUp = () => Promise.reject(new TunnelProblem('no systemctl'));
  const request = { gateway: box.gateway.url, name: 'attic', token: box.gateway.registrationToken };
  const { ok, text } = await addressesIn(t, box).addresses.join(request);
  assert.equal(ok, false);
  assert.match(text, /but the tunnel does not start; run: sudo systemctl enable --now boxgate-tunnel\.service/);
});
