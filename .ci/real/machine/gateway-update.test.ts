import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startWgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { storeSchema } from '../../../src/gateway/store/schema.ts';
import { until } from '../support/until.ts';
import { makePublisher } from './gateway-releases.ts';

/**
 * Updates a gateway that was installed by the steps of deploy/gateway/README.md, with a box that has joined and
 * published. Runs inside its own systemd. Each test continues from the one before.
 */
const url = 'http://127.0.0.1:8080';
const unit = 'boxgate-gateway.service';
const job = 'boxgate-gateway-update.service';
const state = '/var/lib/boxgate';
const copy = join(state, `gateway.db.schema-${storeSchema}`);
const boxEnv = { BOX_STATE_DIR: '/var/lib/boxgate-box' };
const folder = '/var/boxgate-test-releases';

assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');
const manager = await startWgEasy({ dialect: '15.4', password: 'a-password-of-wg-easy' });
const publisher = makePublisher(folder);
const publish = (version: string, twist = {}) => publisher.publish(version, storeSchema, twist);

const stages = ['checking', 'downloading', 'verifying', 'staging', 'switching', 'restarting', 'health_check', 'done'];

const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
const property = (name: string, of: string) => systemctl('show', '-p', name, '--value', of).stdout.trim();
const server = () =>
  fetch(`${url}/healthz`).then(
    (response) => response.headers.get('Server'),
    () => null,
  );
const readState = () => JSON.parse(readFileSync(join(state, 'update-state.json'), 'utf8'));
const journal = () => spawnSync('journalctl', ['-n', '40', '--no-pager', '-u', unit, '-u', job]).stdout.toString();

/** Asynchronous, since this process serves the fake wg-easy. */
function start(words: string[], env: Record<string, string> = {}) {
  const child = spawn('/usr/local/bin/boxgate', words, {
    env: { PATH: process.env.PATH, HOME: '/root', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes) => {
      said[stream] += bytes;
    });
  }
  return { child: child as ChildProcess, said };
}

async function boxgate(words: string[], env: Record<string, string> = {}) {
  const { child, said } = start(words, env);
  const [status] = await once(child, 'close');
  return { status, ...said };
}

const apply = (...flags: string[]) => boxgate(['gateway', 'update', 'apply', ...flags]);

/** Facts that an update must not change: the route file, and that the box is registered. */
function routes() {
  const names = readdirSync(join(state, 'routes')).filter((name) => name.endsWith('.yml'));
  return names.map((name) => {
    const { ino, mtimeMs } = statSync(join(state, 'routes', name));
    return { name, ino, mtimeMs };
  });
}

async function assertWorks(version: string, before: ReturnType<typeof routes>) {
  assert.equal(await server(), `boxgate/${version}`, journal());
  assert.deepEqual(routes(), before);
  assert.equal(before.length, 1);
  const status = await boxgate(['tunnel', 'status', '--json'], boxEnv);
  assert.equal(JSON.parse(status.stdout).routes, 1, status.stdout + status.stderr);
  assert.notEqual(statSync(`/proc/${property('MainPID', unit)}`).uid, 0);
}

before(async () => {
  for (const path of ['/opt/boxgate', '/etc/boxgate', state]) rmSync(path, { recursive: true, force: true });
  const done = spawnSync('sh', ['deploy/install.sh', 'gateway'], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  writeFileSync('/etc/boxgate/tunnel-password', 'a-password-of-wg-easy\n');
  const settings = [
    `GATEWAY_TUNNEL_URL=${manager.url}`,
    `GATEWAY_RELEASE_FEED=${publisher.feed}`,
    `GATEWAY_RELEASE_KEY=${publisher.key}`,
    'GATEWAY_UPDATE_WAIT=10',
  ];
  appendFileSync('/etc/boxgate/gateway.env', `${settings.join('\n')}\n`);
  assert.equal(systemctl('start', unit).status, 0, journal());
  await until('the gateway answers', async () => (await server()) !== null);
  const joined = await boxgate(['tunnel', 'join', '--gateway', url, '--name', 'attic'], {
    ...boxEnv,
    BOX_REGISTRATION_TOKEN_FILE: '/etc/boxgate/box-token',
  });
  assert.equal(joined.status, 0, joined.stderr);
  const wanted = ['notes', '--subdomain', 'notes', '--port', '5230', '--proxy', url];
  const published = await boxgate(['tunnel', 'publish', ...wanted], boxEnv);
  assert.equal(published.status, 0, published.stderr);
});
after(async () => {
  systemctl('stop', job, unit, 'boxgate-gateway-firewall.service');
  await manager.close();
  for (const path of ['/var/lib/boxgate-box', state, folder]) rmSync(path, { recursive: true, force: true });
});

test('check names the newer version with its changelog, and apply leads to it', async () => {
  const known = routes();
  publish('900.0.0');
  // What `gateway setup` of another version has written.
  mkdirSync('/etc/boxgate/gateway', { recursive: true });
  writeFileSync('/etc/boxgate/gateway/compose.yaml', 'services: {}\n');
  const check = await boxgate(['gateway', 'update', 'check']);
  assert.equal(check.status, 0, check.stderr);
  assert.match(check.stdout, /version 900\.0\.0 is available\nchangelog: https:\S+\/900\.0\.0\n$/);
  const done = await apply();
  assert.equal(done.status, 0, done.stdout + done.stderr + journal());
  assert.match(done.stdout, /^the update runs as boxgate-gateway-update\.service; .*$/m);
  // A stage that lasts less than the time between two looks is not printed.
  const printed = Array.from(done.stdout.matchAll(/^(\w+): .+$/gm), ([, stage]) => stage);
  assert.ok(printed.length > 2, done.stdout);
  assert.deepEqual(
    printed,
    stages.filter((stage) => printed.includes(stage)),
  );
  assert.match(
    done.stdout,
    /^done: version 900\.0\.0 runs; wg-easy and Traefik .* sudo boxgate gateway setup brings them, too$/m,
  );
  await assertWorks('900.0.0', known);
  const end = readState();
  assert.deepEqual([end.stage, end.outcome, end.unit], ['done', 'updated', job]);
  assert.equal(statSync(join(state, 'update.lock')).uid, statSync(state).uid);
  assert.notEqual(statSync(state).uid, 0);
  const again = await apply();
  assert.deepEqual([again.status, readState().outcome], [0, 'unchanged'], again.stderr);
});

test('the update goes on when the command that follows it is killed', async () => {
  publish('901.0.0');
  const { attempt } = readState();
  const { child, said } = start(['gateway', 'update', 'apply']);
  await until('the update runs', () => /^checking|^downloading/m.test(said.stdout) || child.exitCode !== null);
  child.kill('SIGKILL');
  await until('it is done', () => readState().attempt !== attempt && readState().stage === 'done');
  assert.equal(await server(), 'boxgate/901.0.0');
});

test('the setup of an older archive is refused, and changes nothing', async () => {
  const [archive] = readdirSync(folder).filter((name) => name.startsWith('boxgate-900.0.0-') && !name.endsWith('.gz'));
  const setup = join(folder, archive ?? '', 'bin/boxgate');
  const refused = spawnSync(setup, ['gateway', 'setup', '--domain', 'pub.test', '--email', 'ada@pub.test'], {
    encoding: 'utf8',
  });
  assert.equal(refused.status, 1, refused.stdout);
  assert.match(
    refused.stderr,
    /^boxgate 901\.0\.0 is installed, this archive is 900\.0\.0, and nothing has been changed/,
  );
  assert.equal(await server(), 'boxgate/901.0.0');
});

test('a second apply meanwhile is refused', async () => {
  publish('902.0.0', { start: 'exit 1' });
  const holder = spawn('flock', [join(state, 'update.lock'), 'sleep', '60'], { stdio: 'ignore', detached: true });
  await until(
    'somebody holds the lock',
    () => spawnSync('flock', ['-n', join(state, 'update.lock'), 'true']).status !== 0,
  );
  const refused = await apply();
  process.kill(-(holder.pid ?? 0), 'SIGKILL');
  assert.equal(refused.status, 1);
  assert.equal(refused.stderr, 'an update is already running\n');
});

for (const [version, start] of [
  ['902.0.0', 'exit 1'],
  ['903.0.0', 'exec sleep 1000'],
] as const) {
  test(`a new version whose server begins with "${start}" is rolled back`, async () => {
    const known = routes();
    publish(version, { start });
    const done = await apply();
    assert.equal(done.status, 1, done.stdout);
    // A server that exits at once may end before systemd calls its unit started.
    const subject = `(version ${version}|the unit ${unit} did not start)`;
    assert.match(done.stderr, new RegExp(`^rolled back: ${subject}.+journalctl -u ${unit}`));
    await assertWorks('901.0.0', known);
    assert.equal(existsSync(`/opt/boxgate/${version}`), false);
    assert.deepEqual([readState().stage, readState().outcome], ['rolled_back', 'reverted']);
  });
}

test('a version that migrates the store is announced, and refused without a word of the operator', async () => {
  const known = routes();
  const pid = property('MainPID', unit);
  publish('904.0.0', { migrates: true, start: 'GATEWAY_ROUTES_DIR=/dev/null/none; export GATEWAY_ROUTES_DIR' });
  const announced = `the new version migrates the store of the gateway, from schema ${storeSchema} to ${storeSchema + 1}.`;
  const check = await boxgate(['gateway', 'update', 'check']);
  assert.equal(check.status, 0);
  assert.ok(check.stdout.includes(announced), check.stdout);
  const refused = await apply();
  assert.equal(refused.status, 1);
  assert.ok(refused.stderr.startsWith(`rolled back: ${announced}`), refused.stderr);
  assert.match(refused.stderr, /pg_dump.*--migrate-store\n$/);
  assert.equal(property('MainPID', unit), pid);
  assert.deepEqual(routes(), known);
});

test('a version that migrates the store and then fails is rolled back with the store', async () => {
  const known = routes();
  const done = await apply('--migrate-store');
  assert.equal(done.status, 1, done.stdout);
  assert.match(done.stderr, /^rolled back: version 904\.0\.0 starts and then ends/, done.stderr);
  await assertWorks('901.0.0', known);
  assert.equal(existsSync(copy), false);
});

/** Runs an update until the new version has migrated the store and answers, but is still watched by the updater. */
async function updateUntilMigrated(version: string) {
  const { attempt } = readState();
  const { child } = start(['gateway', 'update', 'apply', '--migrate-store']);
  const ended = once(child, 'close');
  await until('the store is migrated', () => existsSync(copy) || child.exitCode !== null);
  await until('the new version answers', async () => (await server()) === `boxgate/${version}`);
  return { attempt, ended };
}

async function assertInterrupted(attempt: string, known: ReturnType<typeof routes>) {
  await until('the version before answers', async () => (await server()) === 'boxgate/901.0.0');
  assert.notEqual(readState().attempt, attempt);
  assert.deepEqual([readState().stage, readState().reason], ['rolled_back', 'interrupted'], journal());
  await assertWorks('901.0.0', known);
  assert.equal(existsSync(copy), false);
}

test('kill -9 of the updater after the migration brings the version before back, with its store', async () => {
  const known = routes();
  publish('905.0.0', { migrates: true });
  const { attempt, ended } = await updateUntilMigrated('905.0.0');
  systemctl('kill', '--signal=KILL', job);
  assert.equal((await ended)[0], 1);
  await assertInterrupted(attempt, known);
});

test('so does the next start of the service when nobody is left to end the update', async () => {
  const known = routes();
  const { attempt, ended } = await updateUntilMigrated('905.0.0');
  // Imitates a power cut: the updater is not restarted, and the service is killed.
  systemctl('kill', '--signal=KILL', job);
  systemctl('stop', job);
  assert.equal(await server(), 'boxgate/905.0.0');
  systemctl('kill', '--signal=KILL', unit);
  await assertInterrupted(attempt, known);
  assert.equal((await ended)[0], 1);
});

test('a version that migrates the store and works keeps the copy beside it', async () => {
  const known = routes();
  const done = await apply('--migrate-store');
  assert.equal(done.status, 0, done.stderr + journal());
  await assertWorks('905.0.0', known);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.equal(statSync(copy).uid, statSync(state).uid);
});
