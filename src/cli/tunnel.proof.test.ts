import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GatewayEnvironment, makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { writeTunnelPrograms } from '../../fakes/tunnel-programs.ts';
import { runBoxgate, type ServingProgram, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

/** Runs the owner's commands as processes against a real gateway. Each test continues from the one before. */

const folder = temporaryFolder();
const stateDir = join(folder, 'state');
let environment: GatewayEnvironment;
let gateway: ServingProgram;
let address: string;

before(async () => {
  environment = await makeGatewayEnvironment();
  gateway = await serveBoxgate(['gateway', 'serve'], environment.env());
  address = gateway.address;
});

after(async () => {
  await gateway.stop();
  await environment.dispose();
});

const path = `${writeTunnelPrograms(temporaryFolder())}:${process.env.PATH}`;
const ownEnv = { PATH: path, HOME: folder, BOX_STATE_DIR: stateDir };

const run = (words: string[], env: Record<string, string> = {}) =>
  runBoxgate(['tunnel', ...words], { ...ownEnv, ...env });

const jsonOf = async (words: string[]) => {
  const { status, out, err } = await run([...words, '--json']);
  assert.equal(status, 0, err);
  return JSON.parse(out);
};

/** The proxy is not found under the published name. */
const byProxy = () => ['--proxy', environment.traefik.url];

const identity = () => JSON.parse(readFileSync(join(stateDir, 'tunnel.json'), 'utf8'));

const atGateway = ['--gateway', 'https://g.example'];
const wrong: [words: string[], message: RegExp, env?: Record<string, string>][] = [
  [
    ['join', '--name', 'x', ...atGateway],
    /^boxgate: BOX_REGISTRATION_TOKEN or BOX_REGISTRATION_TOKEN_FILE is required\n$/,
    {},
  ],
  [['join', '--name', 'x'], /^boxgate: --gateway \(BOX_GATEWAY_URL\) is required\n$/],
  [['join', ...atGateway], /^boxgate: --name \(BOX_NAME\) is required\n$/],
  [
    ['join', '--name', 'x', '--gateway', 'http://g.example'],
    /--gateway: expected an address that is https: or loopback http:/,
  ],
  [['publish', 'notes'], /^boxgate: --subdomain \(BOX_ROUTE_SUBDOMAIN\) is required\n$/],
  [['publish', '--subdomain', 'x'], /^boxgate: tunnel publish: APP is missing\n$/],
  [
    ['publish', 'notes', '--subdomain', 'x', '--port', '0'],
    /^boxgate: --port: expected a whole number from 1 to 65535/,
  ],
  [['list', '--token', 'x'], /--token/],
];
for (const [words, message, env = { BOX_REGISTRATION_TOKEN: 't' }] of wrong) {
  test(`boxgate tunnel ${words.join(' ')} ends with status 2 and one line that names what is wrong`, async () => {
    const { status, out, err } = await run(words, env);
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, message);
  });
}

test('gateway/tunnel/1, gateway/tunnel/2: joins with the token from a file, and says what to do with the configuration', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, `${environment.registrationToken}\n`);
  const words = ['join', '--gateway', `${address}/`, '--name', 'attic'];
  const { status, out, err } = await run(words, { BOX_REGISTRATION_TOKEN_FILE: file });
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /^joined http:.* as box_\w+, address 10\.8\.0\.2\nthe gateway's end of the tunnel is 10\.8\.0\.1/);
  assert.match(out, new RegExp(`wg-quick up ${join(stateDir, 'tunnel.conf')}`));
  assert.ok(!out.includes(identity().box_token));
  assert.equal(statSync(join(stateDir, 'tunnel.json')).mode & 0o777, 0o600);
  assert.match(readFileSync(join(stateDir, 'tunnel.conf'), 'utf8'), /^AllowedIPs = 10\.8\.0\.1\/32$/m);
});

test('gateway/tunnel/5: publishes the port that the manifest of the installed app declares', async () => {
  const app = join(stateDir, 'apps', 'notes');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'manifest.json'), JSON.stringify({ name: 'notes', version: '1', ports: [5230] }));
  const { status, out, err } = await run(['publish', 'notes', '--subdomain', 'notes', ...byProxy()]);
  assert.equal(status, 0);
  assert.match(
    out,
    new RegExp(
      `^notes \\(port 5230\\) is published at https://notes\\.${environment.domain}, id rt_\\w+; the proxy knows the host, but the app does not answer through the tunnel: 502`,
    ),
  );
  assert.match(err, /^boxgate: nothing listens on port 5230 of this box: visitors get an error/m);
  assert.deepEqual(environment.traefik.hosts(), [`notes.${environment.domain}`]);
});

test('choice/gateway/312: the port of the box itself, and one that shows its page, are refused', async (t) => {
  const box = await serveBoxgate(['box', 'serve'], ownEnv);
  t.after(box.stop);
  const { port } = new URL(box.address);
  const words = ['publish', 'notes', '--subdomain', 'page', '--port', port];
  const known = /^boxgate: port \d+ is the box's management page, .* Publish the port of an app\n$/;
  assert.match((await run(words)).err, known);
  rmSync(join(stateDir, 'running.json'));
  const { status, err } = await run(words);
  assert.equal(status, 1);
  assert.match(err, /^boxgate: port \d+ is a server of boxgate, or shows its page, .*\n$/);
});

test('gateway/tunnel/6, gateway/tunnel/10: lists host, app, port and id, as JSON too', async () => {
  const { out } = await run(['list']);
  const { routes } = await jsonOf(['list']);
  assert.equal(out, `notes.${environment.domain}  notes  5230  ${routes[0].id}\n`);
});

test('gateway/tunnel/7: withdraws a route by its host', async () => {
  await jsonOf(['unpublish', `notes.${environment.domain}`]);
  assert.deepEqual(await jsonOf(['list']), { routes: [] });
});

test('choice/gateway/221: status reports a valid token and a tunnel that is down, with exit status 1', async () => {
  const { status, out } = await run(['status']);
  assert.equal(status, 1);
  assert.match(
    out,
    /^gateway {2}http.*\nbox {6}box_\w+ \(attic\)\ntunnel {3}10\.8\.0\.2, down: bring it up with .*\npeer {5}10\.8\.0\.1.*\nroutes {3}0\n$/,
  );
});

test('choice/gateway/315: a heartbeat withdraws the routes of apps that were removed by hand', async () => {
  const app = join(stateDir, 'apps', 'notes');
  await jsonOf(['publish', 'notes', '--subdomain', 'notes', ...byProxy()]);
  rmSync(app, { recursive: true });
  const { status, out } = await run(['heartbeat']);
  assert.deepEqual([status, out], [0, `notes.${environment.domain} is not published any more: its app was removed\n`]);
  assert.deepEqual(await jsonOf(['list']), { routes: [] });
});

test('leave removes box, peer and both files', async () => {
  assert.equal((await run(['leave'])).status, 0);
  assert.equal(existsSync(join(stateDir, 'tunnel.json')), false);
  assert.equal(existsSync(join(stateDir, 'tunnel.conf')), false);
  assert.deepEqual(environment.manager.clients(), []);
});

test('gateway/process/31: every command has a help text', async () => {
  for (const word of ['join', 'status', 'publish', 'list', 'unpublish', 'rotate', 'leave', 'heartbeat']) {
    const { out } = await run([word, '--help']);
    assert.match(out, new RegExp(`^boxgate tunnel ${word}.*: `));
    assert.match(out, /BOX_STATE_DIR/);
  }
});

test('every unit and command that a message about the tunnel names exists', async () => {
  const root = join(import.meta.dirname, '..', '..');
  const texts = globSync(['src/box/addresses/**/*.ts', 'src/cli/commands/tunnel.ts'], { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const units = new Set(texts.match(/boxgate-[a-z-]+\.(?:service|timer)/g));
  assert.deepEqual(
    [...units].filter((unit) => !existsSync(join(root, 'deploy', unit))),
    [],
  );
  assert.ok(units.has('boxgate-tunnel.service'));
  const named = new Set(texts.match(/boxgate (?:tunnel|gateway boxes) [a-z]+/g));
  const { tunnelCommands } = await import('./commands/tunnel.ts');
  const { gatewayCommands } = await import('./commands/gateway.ts');
  const known = new Set(
    [...tunnelCommands, ...gatewayCommands].map(({ usage }) => `boxgate ${usage.replace(/ [A-Z[].*/, '')}`),
  );
  assert.deepEqual(
    [...named].filter((words) => !known.has(words)),
    [],
  );
  assert.ok(named.size > 5, [...named].join());
});
