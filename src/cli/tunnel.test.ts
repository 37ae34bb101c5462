import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GatewayWorld, makeGatewayWorld } from '../../fakes/gateway-world.ts';
import { type DemoServer, startServer } from './demo-servers.ts';

/** The commands of a box's owner, as processes, against a real gateway. The tests tell one story in order. */

const launcher = join(import.meta.dirname, 'boxgate.cjs');
const folder = mkdtempSync(join(tmpdir(), 'boxgate-tunnel-test-'));
const stateDir = join(folder, 'state');
let world: GatewayWorld;
let gateway: DemoServer;
let address: string;

before(async () => {
  world = await makeGatewayWorld();
  process.argv[1] = launcher; // Servers are started by the program that the caller is.
  gateway = startServer(['gateway', 'serve', '--port', '0'], world.environment());
  address = await gateway.address;
});

after(async () => {
  await gateway.stop();
  await world.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Ended = { status: number | null; out: string; err: string };

async function run(words: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [launcher, 'tunnel', ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, BOX_STATE_DIR: stateDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Ended = { status: null, out: '', err: '' };
  child.stdout.on('data', (bytes) => {
    ended.out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    ended.err += bytes;
  });
  ended.status = await new Promise((resolve) => child.on('close', resolve));
  return ended;
}

const jsonOf = async (words: string[]) => {
  const { status, out, err } = await run([...words, '--json']);
  assert.equal(status, 0, err);
  return JSON.parse(out);
};

const identity = () => JSON.parse(readFileSync(join(stateDir, 'tunnel.json'), 'utf8'));

for (const [words, env, message] of [
  [
    ['join', '--name', 'x', '--gateway', 'https://g.example'],
    {},
    /^boxgate: BOX_REGISTRATION_TOKEN or BOX_REGISTRATION_TOKEN_FILE is required\n$/,
  ],
  [
    ['join', '--name', 'x'],
    { BOX_REGISTRATION_TOKEN: 't' },
    /^boxgate: --gateway \(BOX_GATEWAY_URL\) is required\n$/,
  ],
  [
    ['join', '--gateway', 'https://g.example'],
    { BOX_REGISTRATION_TOKEN: 't' },
    /^boxgate: --name \(BOX_NAME\) is required\n$/,
  ],
  [
    ['join', '--name', 'x', '--gateway', 'http://g.example'],
    { BOX_REGISTRATION_TOKEN: 't' },
    /--gateway: expected an address that is https: or loopback http:/,
  ],
  [['publish', 'notes'], {}, /^boxgate: --subdomain \(BOX_ROUTE_SUBDOMAIN\) is required\n$/],
  [['publish', '--subdomain', 'x'], {}, /^boxgate: tunnel publish: APP is missing\n$/],
  [
    ['publish', 'notes', '--subdomain', 'x', '--port', '0'],
    {},
    /^boxgate: --port: expected a whole number from 1 to 65535/,
  ],
  [['list', '--token', 'x'], {}, /--token/],
] as [string[], Record<string, string>, RegExp][]) {
  test(`boxgate tunnel ${words.join(' ')} ends with status 2 and one line that names what is wrong`, async () => {
    const { status, out, err } = await run(words, env);
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, message);
  });
}

test('a wrong registration token is refused in the words of the gateway, and leaves nothing', async () => {
  const { status, err } = await run(['join', '--gateway', address, '--name', 'attic'], {
    BOX_REGISTRATION_TOKEN: 'wrong',
  });
  assert.deepEqual([status, err], [1, 'boxgate: invalid registration token\n']);
  assert.equal(existsSync(join(stateDir, 'tunnel.json')), false);
});

test('gateway/tunnel/1, gateway/tunnel/2: joins with the token from a file, and says what to do with the configuration', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, `${world.registrationToken}\n`);
  const words = ['join', '--gateway', `${address}/`, '--name', 'attic'];
  const { status, out, err } = await run(words, { BOX_REGISTRATION_TOKEN_FILE: file });
  assert.deepEqual([status, err], [0, '']);
  assert.match(
    out,
    /^joined http:.* as box_\w+, address 10\.8\.0\.2\nthe gateway's end of the tunnel is 10\.8\.0\.1/,
  );
  assert.match(out, new RegExp(`wg-quick up ${join(stateDir, 'tunnel.conf')}`));
  assert.ok(!out.includes(identity().box_token));
  assert.equal(statSync(join(stateDir, 'tunnel.json')).mode & 0o777, 0o600);
  assert.match(readFileSync(join(stateDir, 'tunnel.conf'), 'utf8'), /^AllowedIPs = 10\.8\.0\.1\/32$/m);
});

test('gateway/tunnel/5: publishes the port that the manifest of the installed app declares', async () => {
  const app = join(stateDir, 'apps', 'notes');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'manifest.json'), JSON.stringify({ name: 'notes', version: '1', ports: [5230] }));
  const { status, out } = await run(['publish', 'notes', '--subdomain', 'notes']);
  assert.equal(status, 0);
  assert.match(
    out,
    new RegExp(`^notes \\(port 5230\\) is published at https://notes\\.${world.domain}, id rt_`),
  );
  await world.traefik.settled();
  assert.deepEqual(world.traefik.hosts(), [`notes.${world.domain}`]);
});

test('an app that is not installed is published by the port that is named', async () => {
  const { status, err } = await run(['publish', 'other', '--subdomain', 'other']);
  assert.deepEqual(
    [status, err],
    [1, 'boxgate: other is no installed app with a manifest; name its port with --port\n'],
  );
  const route = await jsonOf(['publish', 'other', '--subdomain', 'other', '--port', '81']);
  assert.deepEqual([route.app_name, route.port], ['other', 81]);
});

test('gateway/tunnel/11: a refusal of the gateway is exit status 1 with its own words', async () => {
  const { status, err } = await run(['publish', 'notes', '--subdomain', 'notes', '--port', '1']);
  assert.deepEqual([status, err], [1, 'boxgate: subdomain already in use\n']);
});

test('gateway/tunnel/6, gateway/tunnel/10: lists host, app, port and id, as JSON too', async () => {
  const { out } = await run(['list']);
  const { routes } = await jsonOf(['list']);
  const lines = [`notes.${world.domain}  notes  5230`, `other.${world.domain}  other  81`];
  assert.equal(out, lines.map((line, i) => `${line}  ${routes[i].id}\n`).join(''));
});

test('gateway/tunnel/7: takes routes back by host and by id', async () => {
  const { routes } = await jsonOf(['list']);
  await jsonOf(['unpublish', `notes.${world.domain}`]);
  await jsonOf(['unpublish', routes[1].id]);
  assert.deepEqual(await jsonOf(['list']), { routes: [] });
});

test('choice/gateway/221: status tells that the token is good and the tunnel down, with exit status 1', async () => {
  const { status, out } = await run(['status']);
  assert.equal(status, 1);
  assert.match(
    out,
    /^gateway {2}http.*\nbox {6}box_\w+ \(attic\)\ntunnel {3}10\.8\.0\.2, down: bring it up with .*\npeer {5}10\.8\.0\.1.*\nroutes {3}0\n$/,
  );
});

test('a heartbeat says nothing', async () => {
  assert.deepEqual(await run(['heartbeat']), { status: 0, out: '', err: '' });
});

test('rotates the token and goes on with the new one', async () => {
  const before = identity().box_token;
  const { box_id } = await jsonOf(['rotate']);
  assert.equal(box_id, identity().box_id);
  assert.notEqual(identity().box_token, before);
  assert.equal((await run(['heartbeat'])).status, 0);
});

test('leaves: box and peer are gone, and both files', async () => {
  assert.equal((await run(['leave'])).status, 0);
  assert.equal(existsSync(join(stateDir, 'tunnel.json')), false);
  assert.equal(existsSync(join(stateDir, 'tunnel.conf')), false);
  assert.deepEqual(world.manager.clients(), []);
});

test('gateway/process/31: every command explains itself', () => {
  for (const word of ['join', 'status', 'publish', 'list', 'unpublish', 'rotate', 'leave', 'heartbeat']) {
    const { stdout } = spawnSync(process.execPath, [launcher, 'tunnel', word, '--help'], {
      encoding: 'utf8',
    });
    assert.match(stdout, new RegExp(`^boxgate tunnel ${word}.*: `));
    assert.match(stdout, /BOX_STATE_DIR/);
  }
});
