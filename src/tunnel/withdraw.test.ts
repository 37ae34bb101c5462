import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listRoutes } from './routes.ts';
import { heartbeat } from './status.ts';
import { joinedTunnel, publish, type TunnelInFolder, tunnelInFolder } from './testing/tunnel-in-folder.ts';
import { withdrawRemoved } from './withdraw.ts';

/** A joined box with two apps that are installed and published. */
async function publishedApps(t: TestContext): Promise<TunnelInFolder & { apps: string }> {
  const box = await joinedTunnel(t);
  const apps = joinPath(box.folder, 'apps');
  for (const [app, port] of [
    ['notes', 5230],
    ['feeds', 8180],
  ] as const) {
    const appDirectory = joinPath(apps, app);
    mkdirSync(appDirectory, { recursive: true });
    await publish(box.tunnel, { app, subdomain: app, port, appDirectory });
  }
  box.warnings.length = 0;
  return { ...box, apps };
}

const hosts = ({ gateway }: TunnelInFolder) => gateway.routes.map(({ host }) => host);
const rows = ({ tunnel }: TunnelInFolder) =>
  tunnel.files.openPorts.read().map(({ port, isClosed }) => [port, isClosed]);

test('choice/gateway/315: closes the port of a removed app, then withdraws its route', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.apps, 'notes'), { recursive: true });
  let openBefore = '';
  box.gateway.before = () => {
    openBefore ||= box.transactions.at(-1) ?? '';
  };
  assert.deepEqual(await withdrawRemoved(box.tunnel), ['notes.example.test']);
  assert.match(openBefore, /\{ 8180 \}/);
  assert.deepEqual([hosts(box), rows(box)], [['feeds.example.test'], [[8180, false]]]);
});

test('choice/gateway/315: a heartbeat withdraws the routes of removed apps', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.apps, 'feeds'), { recursive: true });
  assert.deepEqual((await heartbeat(box.tunnel)).withdrawn, ['feeds.example.test']);
  assert.deepEqual((await heartbeat(box.tunnel)).withdrawn, []);
});

test('choice/gateway/315: while the gateway does not answer, the port is closed and every call tries again', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.apps, 'notes'), { recursive: true });
  box.gateway.answerAll = { status: 503, body: { error: 'closed' } };
  await assert.rejects(heartbeat(box.tunnel), { message: 'closed' });
  assert.deepEqual(rows(box), [
    [5230, true],
    [8180, false],
  ]);
  assert.match(box.transactions.at(-1) ?? '', /\{ 8180 \}/);
  box.gateway.answerAll = null;
  await listRoutes(box.tunnel);
  assert.match(box.warnings.join(), /port 5230 of this box is closed for notes\.example\.test: its app was removed/);
  // The app was installed again meanwhile; the withdrawal still happens.
  mkdirSync(joinPath(box.apps, 'notes'));
  await withdrawRemoved(box.tunnel);
  assert.deepEqual([hosts(box), rows(box)], [['feeds.example.test'], [[8180, false]]]);
});

test('choice/gateway/315: a route that the gateway does not have any more is withdrawn', async (t) => {
  const box = await publishedApps(t);
  box.gateway.routes.length = 0;
  rmSync(joinPath(box.apps, 'notes'), { recursive: true });
  assert.deepEqual(await withdrawRemoved(box.tunnel), ['notes.example.test']);
  assert.deepEqual(rows(box), [[8180, false]]);
});

test('choice/gateway/315: retries to close a port, and withdraws its route at once', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.apps, 'notes'), { recursive: true });
  const packetFilter = { apply: () => Promise.reject(new Error('nft: exit status 1')) };
  await assert.rejects(withdrawRemoved({ ...box.tunnel, packetFilter }), /exit status 1/);
  assert.deepEqual(hosts(box), ['feeds.example.test']);
  assert.deepEqual(rows(box)[0], [5230, true]);
  await withdrawRemoved(box.tunnel);
  assert.deepEqual(rows(box), [[8180, false]]);
});

test('choice/gateway/315: keeps routes of apps on an unmounted disk, and of ports that belong to no app', async (t) => {
  const box = await publishedApps(t);
  await publish(box.tunnel, { app: 'printer', subdomain: 'printer', port: 631 });
  renameSync(box.apps, `${box.apps}-away`);
  assert.deepEqual(await withdrawRemoved(box.tunnel), []);
  assert.equal(box.gateway.routes.length, 3);
  const file = JSON.parse(readFileSync(joinPath(box.folder, 'tunnel-ports.json'), 'utf8'));
  assert.deepEqual(file.ports[2], { id: 'rt_3', host: 'printer.example.test', port: 631 });
});

test('choice/gateway/315: keeps the route of an app whose directory is unreadable', async (t) => {
  const box = await publishedApps(t);
  const notes = joinPath(box.apps, 'notes');
  rmSync(notes, { recursive: true });
  symlinkSync('/nowhere', notes); // Simulates that the disk with the apps is not mounted.
  assert.deepEqual(await withdrawRemoved(box.tunnel), []);
  // The app's directory cannot be inspected, as in a folder of another user.
  const appDirectory = joinPath(box.apps, 'n'.repeat(300));
  await publish(box.tunnel, { app: 'long', subdomain: 'long', port: 631, appDirectory });
  assert.deepEqual(await withdrawRemoved(box.tunnel), []);
  assert.equal(box.gateway.routes.length, 3);
});

test('a box that has not joined has nothing to withdraw', async (t) => {
  const { tunnel } = await tunnelInFolder(t);
  assert.deepEqual(await withdrawRemoved(tunnel), []);
});
