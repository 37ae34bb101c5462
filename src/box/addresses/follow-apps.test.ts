import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Container } from '../engine/rules/container.ts';
import { makePacketFilter } from './adapters/packet-filter.ts';
import { followApps, heartbeat } from './follow-apps.ts';
import { holdPorts, shutPorts } from './open-ports.ts';
import { unpublish } from './publish.ts';
import { examineTunnel, listRoutes } from './status.ts';
import {
  appContainer,
  joinedTunnel,
  publish,
  type TunnelInFolder,
  tunnelInFolder,
} from './testing/tunnel-in-folder.ts';
import { loadFirewall } from './verify-ports.ts';

/** A joined box with two apps that are installed and published. */
async function publishedApps(t: TestContext): Promise<TunnelInFolder & { folders: string }> {
  const box = await joinedTunnel(t);
  const folders = joinPath(box.folder, 'apps');
  for (const [app, port] of [
    ['notes', 5230],
    ['feeds', 8180],
  ] as const) {
    const appDirectory = joinPath(folders, app);
    mkdirSync(appDirectory, { recursive: true });
    box.apps.containers?.push(appContainer(appDirectory, port));
    await publish(box.tunnel, { app, subdomain: app, port, appDirectory });
  }
  box.warnings.length = 0;
  return { ...box, folders };
}

const hosts = ({ gateway }: TunnelInFolder) => gateway.routes.map(({ host }) => host);
const rows = ({ tunnel }: TunnelInFolder) =>
  tunnel.files.openPorts.read().map(({ port, isClosed }) => [port, isClosed]);

test('choice/gateway/315: closes the port of a removed app, then withdraws its route', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.folders, 'notes'), { recursive: true });
  let openBefore = '';
  box.gateway.before = () => {
    openBefore ||= box.transactions.at(-1) ?? '';
  };
  assert.deepEqual((await followApps(box.tunnel)).withdrawn, ['notes.example.test']);
  assert.match(openBefore, /\{ 8180 \}/);
  assert.deepEqual([hosts(box), rows(box)], [['feeds.example.test'], [[8180, false]]]);
});

test('choice/gateway/315: a heartbeat withdraws the routes of removed apps', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.folders, 'feeds'), { recursive: true });
  assert.deepEqual((await heartbeat(box.tunnel)).withdrawn, ['feeds.example.test']);
  assert.deepEqual((await heartbeat(box.tunnel)).withdrawn, []);
});

test('choice/gateway/315: while the gateway does not answer, the port is closed and every call tries again', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.folders, 'notes'), { recursive: true });
  box.gateway.answerAll = { status: 503, body: { error: 'closed' } };
  await assert.rejects(heartbeat(box.tunnel), { message: 'closed' });
  assert.deepEqual(rows(box), [
    [5230, true],
    [8180, false],
  ]);
  assert.match(box.transactions.at(-1) ?? '', /\{ 8180 \}/);
  box.gateway.answerAll = null;
  await listRoutes(box.tunnel);
  assert.match(box.warnings.join(), /notes\.example\.test is to be withdrawn, because its app is gone/);
  // The app was installed again meanwhile; the withdrawal still happens.
  mkdirSync(joinPath(box.folders, 'notes'));
  await followApps(box.tunnel);
  assert.deepEqual([hosts(box), rows(box)], [['feeds.example.test'], [[8180, false]]]);
});

test('choice/gateway/315: a route that the gateway does not have any more is withdrawn', async (t) => {
  const box = await publishedApps(t);
  box.gateway.routes.length = 0;
  rmSync(joinPath(box.folders, 'notes'), { recursive: true });
  assert.deepEqual((await followApps(box.tunnel)).withdrawn, ['notes.example.test']);
  assert.deepEqual(rows(box), [[8180, false]]);
});

test('choice/gateway/315: retries to close a port, and withdraws its route at once', async (t) => {
  const box = await publishedApps(t);
  rmSync(joinPath(box.folders, 'notes'), { recursive: true });
  const packetFilter = makePacketFilter(() => Promise.reject(new Error('nft: exit status 1')));
  await assert.rejects(followApps({ ...box.tunnel, packetFilter }), /exit status 1/);
  assert.deepEqual(hosts(box), ['feeds.example.test']);
  assert.deepEqual(rows(box)[0], [5230, true]);
  await followApps(box.tunnel);
  assert.deepEqual(rows(box), [[8180, false]]);
});

test('choice/gateway/315: keeps routes of apps on an unmounted disk, and of ports that belong to no app', async (t) => {
  const box = await publishedApps(t);
  await publish(box.tunnel, { app: 'printer', subdomain: 'printer', port: 631 });
  renameSync(box.folders, `${box.folders}-away`);
  assert.deepEqual((await followApps(box.tunnel)).withdrawn, []);
  assert.equal(box.gateway.routes.length, 3);
  assert.equal(box.tunnel.files.openPorts.read()[2]?.host, 'printer.example.test');
});

test('choice/gateway/315: keeps the route of an app whose directory is unreadable', async (t) => {
  const box = await publishedApps(t);
  const notes = joinPath(box.folders, 'notes');
  rmSync(notes, { recursive: true });
  symlinkSync('/nowhere', notes); // Simulates that the disk with the apps is not mounted.
  assert.deepEqual((await followApps(box.tunnel)).withdrawn, []);
  // The app's directory cannot be inspected, as in a folder of another user.
  const appDirectory = joinPath(box.folders, 'n'.repeat(300));
  await publish(box.tunnel, { app: 'long', subdomain: 'long', port: 631, appDirectory });
  assert.deepEqual((await followApps(box.tunnel)).withdrawn, []);
  assert.equal(box.gateway.routes.length, 3);
});

test('a box that has not joined has nothing to withdraw', async (t) => {
  const { tunnel } = await tunnelInFolder(t);
  assert.deepEqual((await followApps(tunnel)).withdrawn, []);
});

const openPorts = ({ transactions }: TunnelInFolder) => /\{ (.*) \}/.exec(transactions.at(-1) ?? '')?.[1] ?? '';
const routesOf = ({ gateway }: TunnelInFolder) => gateway.routes.map(({ host, port }) => [host, port]);

/** Only notes is published; `set` replaces its containers and those of an app that was never published. */
async function publishedNotes(t: TestContext) {
  const box = await publishedApps(t);
  const notes = joinPath(box.folders, 'notes');
  rmSync(joinPath(box.folders, 'feeds'), { recursive: true });
  await followApps(box.tunnel);
  const set = (...containers: Container[]) => {
    box.apps.containers = containers;
  };
  const other = (port: number) => appContainer(joinPath(box.folders, 'other'), port);
  return { ...box, notes, set, other };
}

test('a name follows its app to another port, and what takes the old port is not public', async (t) => {
  const box = await publishedNotes(t);
  box.set(appContainer(box.notes, 5240), box.other(5230));
  let openBefore = '';
  box.gateway.before = () => {
    openBefore += `[${openPorts(box)}]`;
  };
  const { moved, lines } = await followApps(box.tunnel);
  assert.deepEqual(
    [moved, lines],
    [
      [{ host: 'notes.example.test', port: 5240 }],
      ['notes.example.test leads to port 5240 of this box now, as notes does'],
    ],
  );
  assert.deepEqual([openBefore, openPorts(box), routesOf(box)], ['[][][]', '5240', [['notes.example.test', 5240]]]);
  assert.deepEqual((await followApps(box.tunnel)).lines, []);
});

test('a route is known by its id, also after the gateway got another domain', async (t) => {
  const box = await publishedApps(t);
  for (const route of box.gateway.routes) route.host = `${route.subdomain}.new.test`;
  box.apps.containers =
    box.apps.containers?.map((one, n) => appContainer(one.workingDirectory, n === 0 ? 5299 : 8180)) ?? null;
  assert.deepEqual(
    (await followApps(box.tunnel)).moved.map(({ port }) => port),
    [5299],
  );
  assert.equal(box.gateway.routes.filter(({ subdomain }) => subdomain === 'notes').length, 1);
  assert.match(box.warnings.join(), /^$/);
});

test('two names of one app whose ports change places', async (t) => {
  const box = await publishedNotes(t);
  const both = (web: number, api: number) => {
    const published = [
      { address: '', hostPort: web, containerPort: 8080, protocol: 'tcp' },
      { address: '', hostPort: api, containerPort: 9090, protocol: 'tcp' },
    ];
    return appContainer(box.notes, 0, { published });
  };
  box.set(both(5230, 5231));
  await publish(box.tunnel, { app: 'notes', subdomain: 'api', port: 5231, appDirectory: box.notes });
  box.set(both(5231, 5230));
  assert.equal((await followApps(box.tunnel)).moved.length, 2);
  assert.deepEqual(routesOf(box).sort(), [
    ['api.example.test', 5230],
    ['notes.example.test', 5231],
  ]);
  assert.equal(openPorts(box), '5230, 5231');
});

for (const [what, lost] of [
  ['withdrawal', 'DELETE /v1/routes/rt_1'],
  ['publication', 'POST /v1/routes'],
] as const) {
  test(`the next call carries on after a lost answer of the ${what}, also if the app is down then`, async (t) => {
    const box = await publishedNotes(t);
    box.set(appContainer(box.notes, 5240));
    box.gateway.loseAnswerOf = lost;
    await assert.rejects(followApps(box.tunnel), { name: 'GatewayLost' });
    box.gateway.loseAnswerOf = null;
    box.set();
    assert.deepEqual((await followApps(box.tunnel, { retries: false })).lines, [], 'left to the heartbeat');
    assert.equal((await followApps(box.tunnel)).moved.length, 1);
    assert.deepEqual([routesOf(box), openPorts(box)], [[['notes.example.test', 5240]], '']);
    box.set(appContainer(box.notes, 5240));
    await followApps(box.tunnel);
    assert.equal(openPorts(box), '5240');
  });
}

test('a name that somebody else took meanwhile is told until it is unpublished or free', async (t) => {
  const box = await publishedNotes(t);
  box.set(appContainer(box.notes, 5240));
  box.gateway.refuseSubdomain = 'notes';
  const taken = /^notes\.example\.test could not follow notes to port 5240: somebody else has taken the name; boxgate/;
  for (const _time of [1, 2]) assert.match((await heartbeat(box.tunnel)).lines.join(), taken);
  assert.match((await examineTunnel(box.tunnel)).status.name_problems.join(), taken);
  await listRoutes(box.tunnel);
  assert.match(box.warnings.join(), taken);
  box.gateway.refuseSubdomain = null;
  assert.equal((await heartbeat(box.tunnel)).moved.length, 1);
  assert.deepEqual((await examineTunnel(box.tunnel)).status.name_problems, []);
  box.set(appContainer(box.notes, 5241));
  box.gateway.refuseSubdomain = 'notes';
  await heartbeat(box.tunnel);
  await unpublish(box.tunnel, 'notes.example.test');
  assert.deepEqual(rows(box), []);
});

test('an app that comes back to its port before its route was published anew keeps it', async (t) => {
  const box = await publishedNotes(t);
  box.set(appContainer(box.notes, 5240));
  box.gateway.answerAll = { status: 503, body: { error: 'closed' } };
  await assert.rejects(followApps(box.tunnel), { message: 'closed' });
  box.gateway.answerAll = null;
  box.set(appContainer(box.notes, 5230));
  await followApps(box.tunnel);
  assert.deepEqual([routesOf(box), openPorts(box)], [[['notes.example.test', 5230]], '5230']);
});

test('a name whose app publishes the port no more is withdrawn, also under the id of a lost publication', async (t) => {
  const box = await publishedNotes(t);
  box.set(appContainer(box.notes, 5240));
  box.gateway.loseAnswerOf = 'POST /v1/routes';
  await assert.rejects(followApps(box.tunnel));
  box.gateway.loseAnswerOf = null;
  box.set(appContainer(box.notes, 0, { published: [] }), box.other(5230));
  for (const _look of [1, 2]) assert.deepEqual((await followApps(box.tunnel, { retries: false })).withdrawn, []);
  assert.equal(openPorts(box), '', 'closed at once, and withdrawn only after a second look by a heartbeat');
  assert.deepEqual((await followApps(box.tunnel)).lines, [
    'notes.example.test is not published any more: notes does not publish its port any more',
  ]);
  assert.deepEqual([routesOf(box), rows(box)], [[], []]);
});

test('a port is closed while no container of its app has it, and the name is kept', async (t) => {
  const box = await publishedNotes(t);
  for (const containers of [[], [box.other(5230)], null]) {
    box.apps.containers = containers;
    await followApps(box.tunnel);
    assert.deepEqual([openPorts(box), routesOf(box)], ['', [['notes.example.test', 5230]]]);
    assert.equal((await examineTunnel(box.tunnel)).status.name_problems.length, 1);
    box.set(appContainer(box.notes, 5230));
    await followApps(box.tunnel);
    assert.equal(openPorts(box), '5230');
  }
});

test('a heartbeat that does not reach Docker leaves the ports of apps to the running box', async (t) => {
  const box = await publishedNotes(t);
  Object.assign(box.apps, { containers: null, isBoxRunning: true });
  await heartbeat(box.tunnel);
  assert.equal(openPorts(box), '5230');
});

test('the packet filter is loaded only with ports at which their apps were seen', async (t) => {
  const box = await publishedNotes(t);
  await publish(box.tunnel, { app: 'printer', subdomain: 'printer', port: 631 });
  assert.deepEqual(
    (await loadFirewall(box.tunnel)).map(({ port }) => port),
    [5230, 631],
  );
  box.apps.containers = null;
  assert.deepEqual(
    (await loadFirewall(box.tunnel)).map(({ port }) => port),
    [631],
  );
  box.set(appContainer(box.notes, 5230));
  const { openPorts: own } = box.tunnel.files;
  const full = { ...box.tunnel.files, openPorts: { ...own, write: () => Promise.reject(new Error('no space')) } };
  assert.deepEqual(
    (await loadFirewall({ ...box.tunnel, files: full })).map(({ port }) => port),
    [631],
  );
});

test('a port stays closed during a change of its app, whatever other processes see', async (t) => {
  const box = await publishedNotes(t);
  box.apps.isChanging = true;
  await holdPorts(box.tunnel, box.notes);
  assert.equal(openPorts(box), '');
  await followApps(box.tunnel);
  assert.equal(openPorts(box), '');
  await shutPorts(box.tunnel, box.notes, 'changing');
  assert.equal(openPorts(box), '', 'opened only once the app is seen');
  await followApps(box.tunnel);
  assert.equal(openPorts(box), '5230');
  await holdPorts(box.tunnel, box.notes);
  box.apps.isChanging = false; // The box was killed during its change.
  await followApps(box.tunnel);
  assert.equal(openPorts(box), '5230');
});

test('a container that stops closes the ports of its app only, until it is seen', async (t) => {
  const box = await publishedApps(t);
  await shutPorts(box.tunnel, joinPath(box.folders, 'notes'), null);
  await shutPorts(box.tunnel, joinPath(box.folders, 'notes'), null);
  assert.equal(openPorts(box), '8180');
  await followApps(box.tunnel);
  assert.equal(openPorts(box), '5230, 8180');
});

test('an app is known by its directory, which may have another path in the labels of its containers', async (t) => {
  const box = await publishedNotes(t);
  const moved = `${box.folders}-moved`;
  renameSync(box.folders, moved);
  symlinkSync(moved, box.folders);
  box.set(appContainer(joinPath(moved, 'notes'), 5230));
  await followApps(box.tunnel);
  assert.equal(openPorts(box), '5230');
  await shutPorts(box.tunnel, joinPath(moved, 'notes'), null);
  assert.equal(openPorts(box), '');
});

test('a name that the gateway has lost, and gives to another app of this box, has one row', async (t) => {
  const box = await publishedApps(t);
  const other = { box_id: 'box_1', app_name: 'x', subdomain: 'x', host: 'x.example.test', port: 1 };
  box.gateway.routes.splice(0, 1, { id: 'rt_9', ...other });
  const appDirectory = joinPath(box.folders, 'feeds');
  await publish(box.tunnel, { app: 'feeds', subdomain: 'notes', port: 8180, appDirectory });
  assert.deepEqual(rows(box), [
    [8180, false],
    [8180, false],
  ]);
  box.apps.containers = [appContainer(joinPath(box.folders, 'notes'), 5240), appContainer(appDirectory, 8180)];
  await followApps(box.tunnel);
  assert.deepEqual(routesOf(box).at(-1), ['notes.example.test', 8180]);
});

test('a look at the containers from before a change opens nothing', async (t) => {
  const box = await publishedNotes(t);
  box.apps.isChanging = true;
  let looks = 0;
  const containers = async () => {
    looks += 1;
    if (looks === 1) await holdPorts(box.tunnel, box.notes);
    return box.apps.containers;
  };
  await followApps({ ...box.tunnel, containers });
  assert.deepEqual([looks, openPorts(box)], [2, '']);
});

test('a change of one app closes the ports of others whose directories are gone, and no other', async (t) => {
  const box = await publishedApps(t);
  const transactions = box.transactions.length;
  await holdPorts(box.tunnel, joinPath(box.folders, 'other'));
  await shutPorts(box.tunnel, joinPath(box.folders, 'notes'), 'changing');
  assert.equal(box.transactions.length, transactions);
  rmSync(joinPath(box.folders, 'notes'), { recursive: true });
  await holdPorts(box.tunnel, joinPath(box.folders, 'other'));
  assert.equal(openPorts(box), '8180');
});

test('an app that does not run is published with its port closed, and the owner is told', async (t) => {
  const box = await publishedNotes(t);
  const appDirectory = joinPath(box.folders, 'idle');
  mkdirSync(appDirectory);
  await publish(box.tunnel, { app: 'idle', subdomain: 'idle', port: 81, appDirectory });
  assert.match(box.warnings.join(), /idle\.example\.test leads nowhere, because idle does not run/);
  assert.equal(openPorts(box), '5230');
});
