import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listApps } from '../apps/list-apps.ts';
import { noAddresses } from '../testing/no-addresses.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeApply, makePacketFilter } from './adapters/packet-filter.ts';
import { withHeldPorts } from './open-ports.ts';
import { unpublish } from './publish.ts';
import { leave } from './registration.ts';
import { listRoutes } from './status.ts';
import { joinedTunnel, joinGateway, publish, type TunnelInFolder, tunnelInFolder } from './testing/tunnel-in-folder.ts';
import { loadFirewall } from './verify-ports.ts';

const fileOf = ({ folder }: TunnelInFolder) => joinPath(folder, 'tunnel-ports.json');
const portsOf = ({ tunnel }: TunnelInFolder) => tunnel.files.openPorts.read().map(({ port }) => port);
const notes = { app: 'notes', subdomain: 'notes', port: 5230 };

test('choice/gateway/210: the ports of published apps are kept for the owner only, and opened', async (t) => {
  const box = await joinedTunnel(t);
  const { id } = await publish(box.tunnel, notes);
  await publish(box.tunnel, { ...notes, subdomain: 'again' });
  assert.equal(statSync(fileOf(box)).mode & 0o777, 0o600);
  assert.match(box.transactions.at(-1) ?? '', /^flush set .*\nadd element .* \{ 5230 \}\n$/);
  await unpublish(box.tunnel, id);
  assert.match(box.transactions.at(-1) ?? '', /\{ 5230 \}/, 'another route leads to the port');
  await unpublish(box.tunnel, 'again.example.test');
  assert.match(box.transactions.at(-1) ?? '', /^flush set [^\n]*\n$/);
  assert.deepEqual(portsOf(box), []);
});

test('a gateway that answers another port opens only the one that was asked for', async (t) => {
  const box = await joinedTunnel(t);
  const body = { id: 'rt_1', box_id: 'box_1', app_name: 'notes', host: 'notes.example.test', port: 22 };
  box.gateway.answerAll = { status: 201, body };
  await publish(box.tunnel, notes);
  assert.deepEqual(portsOf(box), [5230]);
});

test('a refused publication opens nothing', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.answerAll = { status: 409, body: { error: 'subdomain already in use' } };
  await assert.rejects(publish(box.tunnel, notes), /already in use/);
  assert.deepEqual([portsOf(box), box.transactions], [[], []]);
});

test('routes that only the gateway lists open nothing, and the owner is warned', async (t) => {
  const box = await joinedTunnel(t);
  const ssh = { id: 'rt_9', box_id: 'box_1', app_name: 'x', subdomain: 'x', host: 'x.example.test' };
  box.gateway.routes.push({ ...ssh, port: 22 });
  await listRoutes(box.tunnel);
  await loadFirewall(box.tunnel);
  assert.deepEqual(portsOf(box), []);
  assert.doesNotMatch(box.transactions.join(''), /add element/);
  assert.match(box.warnings.join(), /port 22 of this box is closed for x\.example\.test/);
});

test('unpublish closes the port also when the gateway refuses or knows nothing of the route', async (t) => {
  const box = await joinedTunnel(t);
  const first = await publish(box.tunnel, notes);
  await publish(box.tunnel, { ...notes, subdomain: 'feeds', port: 8180 });
  box.gateway.answerAll = { status: 500, body: { error: 'internal error (1)' } };
  await assert.rejects(unpublish(box.tunnel, first.id), /internal error/);
  assert.deepEqual(portsOf(box), [8180]);
  box.gateway.answerAll = null;
  box.gateway.routes = [];
  assert.equal((await unpublish(box.tunnel, 'feeds.example.test')).host, 'feeds.example.test');
  assert.deepEqual(portsOf(box), []);
});

test('a box with the same id at another gateway changes only its own set', async (t) => {
  const sets: (string | undefined)[] = [];
  for (const box of [await joinedTunnel(t), await joinedTunnel(t)]) {
    await loadFirewall(box.tunnel);
    await publish(box.tunnel, notes);
    await leave(box.tunnel);
    const [loaded, ...changed] = box.transactions.map((text) => /\bpublished_[0-9a-f]{16}\b/.exec(text)?.[0]);
    assert.deepEqual(changed, [loaded, loaded, loaded]);
    sets.push(loaded);
  }
  assert.equal(new Set(sets).size, 2);
});

test('an unpublish that cannot close the port withdraws the route and says so; a repeated one closes it', async (t) => {
  const box = await joinedTunnel(t);
  const { id } = await publish(box.tunnel, notes);
  const apply = () => Promise.reject(new Error('no memory'));
  await assert.rejects(unpublish({ ...box.tunnel, packetFilter: makePacketFilter(apply) }, id), {
    message: `the gateway has no route ${id} any more, but its port may still be open on this box: the tunnel's packet filter was not changed: no memory; boxgate tunnel firewall closes it`,
  });
  assert.deepEqual(box.gateway.routes, []);
  await assert.rejects(unpublish(box.tunnel, id), /this box has no route/);
  assert.match(box.transactions.at(-1) ?? '', /^flush set [^\n]*\n$/);
});

test('unpublish closes every port of a host, whatever ids the gateway gave', async (t) => {
  const box = await joinedTunnel(t);
  for (const port of [5230, 8180]) {
    const body = { id: `rt_${port}`, box_id: 'box_1', app_name: 'x', host: 'notes.example.test', port };
    box.gateway.answerAll = { status: 201, body };
    await publish(box.tunnel, { ...notes, port });
  }
  box.gateway.answerAll = null;
  await unpublish(box.tunnel, 'notes.example.test');
  assert.deepEqual(portsOf(box), []);
});

test('warns about an open port without a route at the gateway', async (t) => {
  const box = await joinedTunnel(t);
  box.listening.add('127.0.0.1:5230');
  await publish(box.tunnel, notes);
  await listRoutes(box.tunnel);
  assert.deepEqual(box.warnings, []);
  box.gateway.routes = [];
  await listRoutes(box.tunnel);
  assert.match(
    box.warnings.join(),
    /^port 5230 of this box is open for notes\.example\.test.*unpublish rt_1 closes it$/,
  );
});

test('a route whose port cannot be opened is withdrawn, and its port is closed', async (t) => {
  const box = await joinedTunnel(t);
  const apply = async (transaction: string) => {
    box.transactions.push(transaction);
    if (transaction.includes('add element')) throw new Error('timed out');
    return '';
  };
  await assert.rejects(publish({ ...box.tunnel, packetFilter: makePacketFilter(apply) }, notes), /timed out/);
  assert.deepEqual([box.gateway.routes, portsOf(box)], [[], []]);
  assert.match(box.transactions.at(-1) ?? '', /^flush set [^\n]*\n$/);
});

test('leave and join close every port', async (t) => {
  const box = await joinedTunnel(t);
  await publish(box.tunnel, notes);
  const kept = readFileSync(fileOf(box), 'utf8');
  await leave(box.tunnel);
  assert.match(box.transactions.at(-2) ?? '', /^flush set [^\n]*\n$/);
  assert.deepEqual(readdirSync(box.folder), []);
  writeFileSync(fileOf(box), kept);
  await joinGateway(box);
  assert.deepEqual(portsOf(box), []);
});

test('leave removes the packet filter after the interface', async (t) => {
  const box = await joinedTunnel(t);
  box.tunnel.wireGuard.takeDown = async () => box.transactions.push('take down') > 0;
  await leave(box.tunnel);
  assert.equal(box.transactions.at(-2), 'take down');
  assert.match(box.transactions.at(-1) ?? '', /^flush set .*\ndelete table inet boxgate_tunnel\n$/);
});

test('leave keeps the packet filter while the interface of another registration is there', async (t) => {
  const box = await joinedTunnel(t);
  box.tunnel.wireGuard.takeDown = async () => false;
  await leave(box.tunnel);
  assert.doesNotMatch(box.transactions.join(), /delete table/);
});

test('a leave that cannot remove the packet filter keeps the files', async (t) => {
  const box = await joinedTunnel(t);
  const apply = async (transaction: string) => {
    if (transaction.includes('delete')) throw new Error('no memory');
    return '';
  };
  await assert.rejects(
    leave({ ...box.tunnel, packetFilter: makePacketFilter(apply) }),
    /could not be taken down: .* no memory; .* again/,
  );
  assert.ok(readdirSync(box.folder).includes('tunnel.conf'));
});

for (const text of ['', '{}', '[]', '{"ports": [1]}', '{"ports": [{"id": "a", "host": "b", "port": 0}]}']) {
  test(`a file of ports that is ${text || 'empty'} opens nothing and is named`, async (t) => {
    const box = await joinedTunnel(t);
    writeFileSync(fileOf(box), text);
    await assert.rejects(loadFirewall(box.tunnel), /tunnel-ports\.json: expected the published ports/);
    await assert.rejects(publish(box.tunnel, notes), /tunnel-ports\.json: expected/);
    assert.deepEqual([box.transactions, box.gateway.routes], [[], []]);
  });
}

test('loads the ends of the tunnel and the published ports', async (t) => {
  const box = await joinedTunnel(t);
  await publish(box.tunnel, notes);
  assert.equal((await loadFirewall(box.tunnel))[0]?.port, 5230);
  assert.match(
    box.transactions.at(-1) ?? '',
    /ip saddr 10\.8\.0\.1 ip daddr 10\.8\.0\.2 [\s\S]*add element .* \{ 5230 \}/,
  );
});

test('a configuration that was edited to let more in is not brought up', async (t) => {
  const box = await joinedTunnel(t);
  const config = readFileSync(box.tunnel.files.configFile, 'utf8');
  writeFileSync(box.tunnel.files.configFile, config.replace('10.8.0.1/32', '0.0.0.0/0'));
  await assert.rejects(loadFirewall(box.tunnel), /expected one Address and one AllowedIPs/);
});

/** A packet filter whose program is a script. */
async function filterOf(t: TestContext, script: string) {
  const { folder } = await tunnelInFolder(t);
  const program = joinPath(folder, 'nft');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, apply: makeApply(program) };
}

test('the packet filter gets the transaction as its input', async (t) => {
  const { folder, apply } = await filterOf(t, 'echo "$@" >"$0.said"; cat >>"$0.said"; echo rules');
  assert.equal(await apply('add table\n'), 'rules\n');
  assert.equal(readFileSync(joinPath(folder, 'nft.said'), 'utf8'), '-f -\nadd table\n');
});

test('distinguishes a missing or invisible table from other failures', async (t) => {
  const unsupported = ['Protocol', 'Operation', 'Address family'].map((what) => `${what} not supported`);
  for (const words of ['No such file or directory', 'Operation not permitted', ...unsupported]) {
    const refused = await filterOf(t, `echo "Error: ${words}" >&2; exit 1`);
    assert.equal(await refused.apply(''), null, words);
  }
  const broken = await filterOf(t, 'echo "Error: syntax error" >&2; exit 1');
  await assert.rejects(broken.apply(''), /syntax error/);
});

test('choice/gateway/210: without nft, names the package to install and loads nothing', async (t) => {
  const box = await joinedTunnel(t);
  const packetFilter = makePacketFilter(makeApply(joinPath(box.folder, 'none')));
  await assert.rejects(loadFirewall({ ...box.tunnel, packetFilter }), {
    message: 'nft is not installed: install the package nftables',
  });
  // The tunnel cannot be up here, so publishing needs no packet filter.
  await publish({ ...box.tunnel, packetFilter }, notes);
  assert.deepEqual(portsOf(box), [5230]);
});

test('reports a packet filter that cannot be loaded', async (t) => {
  const box = await joinedTunnel(t);
  const packetFilter = makePacketFilter(async () => null);
  await assert.rejects(loadFirewall({ ...box.tunnel, packetFilter }), /run this as root, on a kernel with nf_tables/);
});

test('a box that has not joined has nothing to load', async (t) => {
  const box = await tunnelInFolder(t);
  mkdirSync(box.folder, { recursive: true });
  await assert.rejects(loadFirewall(box.tunnel), /has not joined a gateway/);
});

const testBox = useTestBox();
const project = { directory: '/apps/memos', project: 'memos', files: ['compose.yaml'], envFile: null };

test('published ports are closed while Compose changes the containers of their app, also if it fails', async () => {
  const seen: string[] = [];
  const note = (what: string) => async (directory: string) => {
    seen.push(`${what} ${directory}`);
  };
  const { containers } = testBox;
  const failing = { up: () => Promise.reject(new Error('no')), down: containers.down };
  const routes = { ...noAddresses, hold: note('hold'), release: note('release') };
  const held = withHeldPorts(Object.assign(Object.create(containers), failing), routes);
  await assert.rejects(held.up(project), /no/);
  assert.deepEqual(seen, ['hold /apps/memos', 'release /apps/memos']);
});

test('the list shows the public addresses of an app', async () => {
  testBox.installed('a');
  testBox.installed('b');
  const { box } = testBox;
  const addresses = () => listApps(box).map((entry) => entry.public_urls);
  assert.deepEqual(addresses(), [undefined, undefined]);
  const urls = new Map([[box.folders.path('b'), ['https://notes.example.test']]]);
  box.addresses = { ...noAddresses, urls: () => urls };
  assert.deepEqual(addresses(), [undefined, ['https://notes.example.test']]);
});
