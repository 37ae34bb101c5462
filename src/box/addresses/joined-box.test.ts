import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { test } from 'node:test';
import { makePacketFilter } from './adapters/packet-filter.ts';
import { heartbeat } from './follow-apps.ts';
import { TunnelProblem } from './ports.ts';
import { unpublish } from './publish.ts';
import { leave, rotate } from './registration.ts';
import { examineTunnel, listRoutes } from './status.ts';
import {
  joinedTunnel,
  joinGateway,
  publish,
  silentPeer,
  type TunnelInFolder,
  tunnelInFolder,
} from './testing/tunnel-in-folder.ts';

const tokenOnDisk = ({ folder }: TunnelInFolder) =>
  JSON.parse(readFileSync(joinPath(folder, 'tunnel.json'), 'utf8')).box_token;

for (const [name, command] of Object.entries({ rotate, leave, listRoutes, heartbeat, tunnelStatus: examineTunnel })) {
  test(`${name} says that a box has to join first`, async (t) => {
    const { tunnel } = await tunnelInFolder(t);
    await assert.rejects(async () => command(tunnel), /has not joined a gateway; boxgate tunnel join does that/);
  });
}

test('reports an invalid tunnel.json without its contents', async (t) => {
  const { tunnel, folder } = await tunnelInFolder(t);
  writeFileSync(joinPath(folder, 'tunnel.json'), '{"box_token": "secret-token"');
  await assert.rejects(
    async () => listRoutes(tunnel),
    (error: Error) => /expected a JSON object/.test(error.message) && !error.message.includes('secret-token'),
  );
});

test('gateway/tunnel/7: publishes, lists and withdraws by id or host', async (t) => {
  const { tunnel } = await joinedTunnel(t);
  const first = await publish(tunnel, { app: 'notes', subdomain: 'notes', port: 5230 });
  const second = await publish(tunnel, { app: 'feeds', subdomain: 'feeds', port: 8180 });
  assert.deepEqual(
    (await listRoutes(tunnel)).map(({ host }) => host),
    ['notes.example.test', 'feeds.example.test'],
  );
  assert.equal((await unpublish(tunnel, first.id)).host, 'notes.example.test');
  assert.equal((await unpublish(tunnel, 'Feeds.example.test')).id, second.id);
  assert.deepEqual(await listRoutes(tunnel), []);
});

test("gateway/tunnel/11: reports a refusal in the gateway's words", async (t) => {
  const { tunnel, gateway } = await joinedTunnel(t);
  gateway.refuseSubdomain = 'notes';
  await assert.rejects(publish(tunnel, { app: 'x', subdomain: 'notes', port: 1 }), {
    message: 'subdomain already in use',
  });
});

test('names an unknown route', async (t) => {
  const { tunnel } = await joinedTunnel(t);
  await assert.rejects(unpublish(tunnel, 'rt_9'), /this box has no route "rt_9"/);
});

test('rotate replaces the token', async (t) => {
  const box = await joinedTunnel(t);
  await rotate(box.tunnel);
  assert.equal(tokenOnDisk(box), 'token-of-box_1+');
  assert.deepEqual(readdirSync(box.folder).sort(), ['tunnel.conf', 'tunnel.json']);
  await heartbeat(box.tunnel);
});

test('gateway/tunnel/8: rotate keeps the old token on the disk until the new one is there', async (t) => {
  const box = await joinedTunnel(t);
  let token: string | undefined;
  box.gateway.before = () => {
    token = tokenOnDisk(box);
  };
  await rotate(box.tunnel);
  assert.equal(token, 'token-of-box_1');
});

test('rotate detects a full disk before it asks', async (t) => {
  const box = await joinedTunnel(t);
  mkdirSync(joinPath(box.folder, 'tunnel.json.reserved'));
  await assert.rejects(rotate(box.tunnel), /EISDIR/);
  assert.equal(box.gateway.boxes.get('box_1'), 'token-of-box_1');
});

test('rotate says what to do when the response with the new token was lost', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.loseAnswerOf = '/rotate-token';
  await assert.rejects(
    rotate(box.tunnel),
    /the new token was lost with the answer; nobody can speak for the box box_1/,
  );
});

test('rotate reports no change when the response was invalid and the old token still works', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.before = (asked) => {
    box.gateway.answerAll = asked.endsWith('/rotate-token') ? { status: 502, body: {} } : null;
  };
  await assert.rejects(rotate(box.tunnel), /without a body of the gateway's API; the token was not replaced/);
  assert.equal(tokenOnDisk(box), 'token-of-box_1');
});

test('after an internal error of the gateway, the token may have been replaced', async (t) => {
  const box = await joinedTunnel(t);
  const refusal = { status: 500, body: { error: 'the store of the gateway failed' } };
  box.gateway.before = (asked) => {
    box.gateway.answerAll = asked.endsWith('/rotate-token') ? refusal : null;
  };
  await assert.rejects(rotate(box.tunnel), /store of the gateway failed; the token was not replaced/);
  box.gateway.before = (asked) => {
    if (asked.endsWith('/rotate-token')) box.gateway.boxes.set('box_1', 'another');
    box.gateway.answerAll = asked.endsWith('/rotate-token') ? refusal : null;
  };
  await assert.rejects(rotate(box.tunnel), /store of the gateway failed; the new token was lost with the answer/);
  box.gateway.before = () => undefined;
  box.gateway.answerAll = { status: 503, body: { error: 'closed' } };
  await assert.rejects(rotate(box.tunnel), { message: 'closed' });
});

test('two rotations at the same time leave the token that the gateway has', async (t) => {
  const box = await joinedTunnel(t);
  await Promise.all([rotate(box.tunnel), rotate(box.tunnel)]);
  assert.equal(tokenOnDisk(box), box.gateway.boxes.get('box_1'));
});

test('gateway/tunnel/9: leave deregisters and removes both files', async (t) => {
  const box = await joinedTunnel(t);
  await leave(box.tunnel);
  assert.equal(box.gateway.boxes.size, 0);
  assert.deepEqual(readdirSync(box.folder), []);
});

test('leave keeps the files while the gateway does not answer', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.answerAll = { status: 500, body: { error: 'internal error (1)' } };
  await assert.rejects(leave(box.tunnel), { message: 'internal error (1)' });
  assert.equal(tokenOnDisk(box), 'token-of-box_1');
});

test('leave removes the files of a box that the gateway no longer knows, with a warning', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.boxes.clear();
  await leave(box.tunnel);
  assert.deepEqual(readdirSync(box.folder), []);
  assert.match(box.warnings.join(), /does not know this box's token/);
});

test('leave takes the tunnel down while its configuration is still there', async (t) => {
  const box = await joinedTunnel(t);
  let seen: unknown[] = [];
  box.tunnel.wireGuard.takeDown = async (configFile: string, address: string) => {
    seen = [readdirSync(box.folder).includes('tunnel.conf'), configFile, address, box.gateway.boxes.size];
    return true;
  };
  await leave(box.tunnel);
  assert.deepEqual(seen, [true, joinPath(box.folder, 'tunnel.conf'), '10.8.0.2', 0]);
});

test('a leave that cannot take the tunnel down keeps the files and can be repeated', async (t) => {
  const box = await joinedTunnel(t);
  const takeDown = () => Promise.reject(new Error('systemctl: timed out'));
  const broken = { ...box.tunnel, wireGuard: { ...box.tunnel.wireGuard, takeDown } };
  await assert.rejects(leave(broken), {
    message:
      'box_1 has left, but its tunnel could not be taken down: systemctl: timed out; correct that and run boxgate tunnel leave again',
  });
  assert.deepEqual(readdirSync(box.folder).sort(), ['tunnel.conf', 'tunnel.json']);
  await leave(box.tunnel);
  assert.deepEqual(readdirSync(box.folder), []);
});

test('status reports tunnel, routes and the state of the token', async (t) => {
  const box = await joinedTunnel(t);
  const { gateway } = box;
  const ends = { address: '10.8.0.2', gateway_address: '10.8.0.1', gateway_address_assumed: false };
  const same = { gateway: gateway.url, box_id: 'box_1', box_name: 'attic', ...ends };
  const { tunnel_problem: downProblem, ...down } = (await examineTunnel(box.tunnel)).status;
  assert.deepEqual(down, {
    ...same,
    endpoint: null,
    mtu: null,
    tunnel: 'down',
    handshake_at: null,
    routes: 0,
    problem: null,
    name_problems: [],
  });
  assert.match(String(downProblem), /^bring it up with/);

  gateway.boxes.clear();
  const wireGuard = {
    ...box.tunnel.wireGuard,
    interfaceWith: (address: string) => (address === '10.8.0.2' ? 'tunnel' : null),
    peer: async () => ({ ...silentPeer, handshakeAt: new Date('2026-01-02T03:04:00Z') }),
    answers: async (name: string, _: string, ends: object) => name === 'tunnel' && ends !== null,
  };
  const seen = { endpoint: '203.0.113.1:51820', mtu: 1280 };
  const up = { ...same, ...seen, handshake_at: '2026-01-02T03:04:00.000Z', routes: null, name_problems: [] };
  const { problem, ...known } = (await examineTunnel({ ...box.tunnel, wireGuard })).status;
  assert.match(`${problem}`, /^invalid or expired box token: this gateway does not know the box any more/);
  assert.deepEqual(known, { ...up, tunnel: 'up', tunnel_problem: null });
  const silent = { ...wireGuard, answers: async () => false };
  const { tunnel_problem: deadProblem, ...dead } = (await examineTunnel({ ...box.tunnel, wireGuard: silent })).status;
  assert.deepEqual(dead, { ...up, tunnel: 'dead', problem });
  assert.match(String(deadProblem), /^the gateway does not know this box any more$/);
  const lacksTool = { ...wireGuard, peer: () => Promise.reject(new TunnelProblem('wg: command not found')) };
  const { tunnel_problem: toolProblem, ...unseen } = (await examineTunnel({ ...box.tunnel, wireGuard: lacksTool }))
    .status;
  const nothing = { handshake_at: null, endpoint: null, mtu: null };
  assert.deepEqual(unseen, { ...up, ...nothing, tunnel: 'unknown', problem });
  assert.match(String(toolProblem), /Install the package wireguard-tools$/);
});

test('choice/gateway/220: status reports an assumed gateway address until the owner corrects it', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.config = box.gateway.config.replace('10.8.0.2/24', '10.8.0.2/32');
  const joined = await joinGateway(box);
  assert.deepEqual(joined.gatewayEnd, { address: '10.8.0.1', isAssumed: true });
  await rotate(box.tunnel);
  const down = (await examineTunnel(box.tunnel)).status;
  assert.deepEqual([down.gateway_address, down.gateway_address_assumed], ['10.8.0.1', true]);

  const peer = async () => ({ ...silentPeer, gatewayAddress: '10.8.0.9' });
  const wireGuard = { ...box.tunnel.wireGuard, interfaceWith: () => 'tunnel', peer };
  const corrected = (await examineTunnel({ ...box.tunnel, wireGuard })).status;
  assert.deepEqual([corrected.gateway_address, corrected.gateway_address_assumed], ['10.8.0.9', false]);
});

test('an interface is the tunnel only if it has the peer of the configuration, and if the kernel sends packets there', async (t) => {
  const box = await joinedTunnel(t);
  const key = /PublicKey = (.*)/.exec(readFileSync(joinPath(box.folder, 'tunnel.conf'), 'utf8'))?.[1];
  const wireGuard = { ...box.tunnel.wireGuard, interfaceWith: () => 'tunnel', answers: async () => true };
  const statusWith = async (changed: object) =>
    (await examineTunnel({ ...box.tunnel, wireGuard: { ...wireGuard, ...changed } })).status;
  const peer = async (_: string, wanted: string) => (wanted === key ? silentPeer : null);
  assert.equal((await statusWith({ peer })).tunnel, 'up');
  assert.equal((await statusWith({ peer: async () => null })).tunnel, 'down');
  const elsewhere = await statusWith({ routeTo: async () => ({ dev: 'mesh0', firstTable: '52' }) });
  assert.equal(elsewhere.tunnel, 'dead');
  assert.match(`${elsewhere.tunnel_problem}`, /^packets for the gateway's end leave through mesh0, not/);
  const nowhere = await statusWith({ routeTo: async () => null });
  assert.match(`${nowhere.tunnel_problem}`, /leave through no interface, not/);
});

test('choice/gateway/210: status reports a missing packet filter', async (t) => {
  const box = await joinedTunnel(t);
  const problemWith = async (name: string, apply: () => Promise<string | null>) => {
    const seen = {
      interfaceWith: () => name,
      routeTo: async () => ({ dev: name, firstTable: null }),
      answers: async () => true,
    };
    const wireGuard = { ...box.tunnel.wireGuard, ...seen };
    const status = (await examineTunnel({ ...box.tunnel, wireGuard, packetFilter: makePacketFilter(apply) })).status;
    return [status.tunnel, status.tunnel_problem?.slice(0, 31)];
  };
  const open = ['up', 'its packet filter is not loaded'];
  const rules = async () => 'chain from_gateway {\n\tdrop\n}\n';
  assert.deepEqual(await problemWith('tunnel', rules), ['up', undefined]);
  assert.deepEqual(await problemWith('tunnel', async () => null), open);
  assert.deepEqual(await problemWith('tunnel', async () => 'chain from_gateway {\n}\n'), open);
  assert.deepEqual(await problemWith('tunnel', () => Promise.reject(new Error('no nft'))), open);
  assert.deepEqual(await problemWith('wg7', rules), open);
});

test('no error message contains the token', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.answerAll = { status: 502, body: { no: 'error' } };
  for (const command of [rotate, leave, listRoutes, heartbeat]) {
    await assert.rejects(command(box.tunnel), (error: Error) => !`${error.stack}`.includes('token-of'));
  }
});
