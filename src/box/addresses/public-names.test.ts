import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTestBox } from '../testing/test-box.ts';
import { makeAddresses } from './make-addresses.ts';
import { publicNames } from './public-names.ts';
import {
  appContainer,
  joinedTunnel,
  publish,
  type TunnelInFolder,
  tunnelInFolder,
} from './testing/tunnel-in-folder.ts';

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
  assert.deepEqual(await publicNames(box.tunnel).withdrawRemoved(), [
    'notes.example.test is not published any more: its app was removed',
  ]);
  assert.deepEqual(box.gateway.routes, []);
  assert.deepEqual(await publicNames(box.tunnel).withdrawRemoved(), []);
});

test('choice/gateway/315: reports an unreachable gateway without failing the removal', async (t) => {
  const box = await removedApp(t);
  await box.gateway.close();
  const [line = '', ...others] = await publicNames(box.tunnel).withdrawRemoved();
  assert.match(
    line,
    /^the public route of a removed app is not withdrawn yet: no answer from .*ECONNREFUSED; boxgate-heartbeat\.timer tries again$/,
  );
  assert.deepEqual(others, []);
});

test('choice/gateway/315: a gateway that does not answer delays the removal only for a limited time', async (t) => {
  const box = await removedApp(t);
  box.gateway.answerAll = new Promise(() => undefined);
  const [line = ''] = await publicNames(box.tunnel, 100).withdrawRemoved();
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
  return { ...box, appDirectory, lines: box.warnings, shut, routes: publicNames(box.tunnel) };
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
