import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { joinedTunnel, publish, type TunnelInFolder, tunnelInFolder } from '../tunnel/testing/tunnel-in-folder.ts';
import { makePublicRoutes } from './public-routes.ts';

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
  assert.deepEqual(await makePublicRoutes(box.folder).withdrawRemoved(), [
    'notes.example.test is not published any more: its app was removed',
  ]);
  assert.deepEqual(box.gateway.routes, []);
  assert.deepEqual(await makePublicRoutes(box.folder).withdrawRemoved(), []);
});

test('choice/gateway/315: reports an unreachable gateway without failing the removal', async (t) => {
  const box = await removedApp(t);
  await box.gateway.close();
  const [line = '', ...others] = await makePublicRoutes(box.folder).withdrawRemoved();
  assert.match(
    line,
    /^the public route of a removed app is not withdrawn yet: no answer from .*ECONNREFUSED; boxgate-heartbeat\.timer tries again$/,
  );
  assert.deepEqual(others, []);
});

test('choice/gateway/315: a gateway that does not answer delays the removal only for a limited time', async (t) => {
  const box = await removedApp(t);
  box.gateway.answerAll = new Promise(() => undefined);
  const [line = ''] = await makePublicRoutes(box.folder, 100).withdrawRemoved();
  assert.match(line, /not withdrawn yet: it takes longer than 0\.1 s;/);
});

test('a box without publications withdraws nothing', async (t) => {
  const { folder } = await tunnelInFolder(t);
  assert.deepEqual(await makePublicRoutes(folder).withdrawRemoved(), []);
});
