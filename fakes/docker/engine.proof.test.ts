import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../pause.ts';
import { residentOfTests } from './contract-subject.ts';
import { type FakeEngine, makeEngine } from './engine.ts';
import { emptyState } from './model/state.ts';
import { openStore } from './transport/store.ts';

/** Features of the fake that real Docker lacks: behaviours, counted faults, the call log; and robustness. */
const resident = await residentOfTests();
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newEngine(): { engine: FakeEngine; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-engine-'));
  folders.push(folder);
  writeFileSync(join(folder, 'compose.yaml'), 'name: p\nservices:\n  web: {image: "app:1"}\n');
  return { engine: makeEngine(folder, resident), folder };
}

const environment = (more = {}) => ({ PATH: '/usr/bin:/bin', HOME: '/', ...more });

function run(engine: FakeEngine, folder: string, ...argv: string[]) {
  const done = spawnSync(join(engine.bin, 'docker'), argv, { cwd: folder, env: environment(), encoding: 'utf8' });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function begin(engine: FakeEngine, folder: string, ...argv: string[]): ChildProcess {
  return spawn(join(engine.bin, 'docker'), argv, { cwd: folder, env: environment(), stdio: 'ignore' });
}

test('rejects unknown commands and flags with status 125 and one line', () => {
  const { engine, folder } = newEngine();
  for (const argv of [
    ['bogus'],
    ['ps', '--bogus'],
    ['compose', 'exec', 'web', 'sh'],
    ['compose', 'up'],
    ['events'],
    ['events', '--format', 'json', '--filter', 'type=network'],
    ['events', '--format', 'json', '--since', '1h'],
  ]) {
    const done = run(engine, folder, ...argv);
    assert.equal(done.status, 125, argv.join(' '));
    assert.match(done.err, /^fake docker: .* is not known here .*\n$/);
    assert.equal(done.out, '');
  }
});

test('hangs until it is killed, and stays consistent', async () => {
  const { engine, folder } = newEngine();
  const fault = await engine.hang({ on: 'create', times: 1 });
  const child = begin(engine, folder, 'compose', 'up', '-d');
  await until('the expected state', () => fault.used() === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(engine.log()[0]?.status, undefined, 'the log shows a call that never ended');
  assert.equal(run(engine, folder, 'compose', 'up', '-d').status, 0);
  assert.deepEqual(
    engine.containers().map((one) => one.status),
    ['running'],
  );
});

test('loses no change with parallel callers', async () => {
  const { engine, folder } = newEngine();
  const children = Array.from({ length: 12 }, (_none, index) => begin(engine, folder, 'pull', `v${index}:1`));
  const ended = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.ok(ended.every(([status]) => status === 0));
  assert.equal(engine.images().length, 12);
});

test('survives callers that are killed at random times', async () => {
  const { engine, folder } = newEngine();
  for (let round = 0; round < 8; round += 1) {
    const child = begin(engine, folder, 'compose', 'up', '-d', '--force-recreate');
    const ended = once(child, 'exit');
    await pause(30 + round * 12);
    child.kill('SIGKILL');
    await ended;
    assert.doesNotThrow(() => engine.state());
  }
  run(engine, folder, 'compose', '-p', 'p', 'down');
  assert.equal(run(engine, folder, 'compose', 'up', '-d').status, 0);
  assert.equal(engine.container('p-web-1')?.status, 'running');
});

/** A server that follows events like the box: its child dies with it. */
function follow(engine: FakeEngine, folder: string) {
  const docker = join(engine.bin, 'docker');
  const argv = ['--pdeathsig', 'TERM', docker, 'events', '--format', '{{.Action}} {{.Actor.Attributes.name}}'];
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn('setpriv', ${JSON.stringify(argv)}, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (status) => process.exit(status ?? 1));`;
  const server = spawn(process.execPath, ['-e', program], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  server.stdout.on('data', (data) => {
    said.out += data;
  });
  server.stderr.on('data', (data) => {
    said.err += data;
  });
  return { server, said };
}

/** Creates and removes containers until the follower prints something. */
async function heard(engine: FakeEngine, said: { out: string }): Promise<void> {
  for (let count = 0; said.out === ''; count += 1) {
    const { id } = await engine.seedContainer({ name: `c${count}`, image: 'app:1' });
    await engine.removeContainerByHand(id);
    await pause(5);
  }
}

test('ends `events` when the engine stops', async () => {
  const { engine, folder } = newEngine();
  const { server, said } = follow(engine, folder);
  await heard(engine, said);
  await engine.seedContainer({ name: 'last', image: 'app:1' });
  const ended = once(server, 'close');
  await engine.stopDaemon();
  assert.deepEqual(await ended, [1, null]);
  assert.equal(said.err, 'unexpected EOF\n');
  assert.ok(said.out.endsWith('create last\nstart last\n'), said.out);
  await engine.startDaemon();
  const argv = ['events', '--since', '0', '--until', String(Date.now() / 1000), '--format', 'json'];
  assert.deepEqual(run(engine, folder, ...argv), { status: 0, out: '', err: '' });
});

test('ends `events` with its caller, and can be reset during one', async () => {
  const { engine, folder } = newEngine();
  const { server, said } = follow(engine, folder);
  await heard(engine, said);
  const pid = engine.log().find(({ argv }) => argv[0] === 'events')?.pid;
  await engine.seedContainer({ name: 'last', image: 'app:1' });
  await engine.forget();
  await until('the expected state', () => said.out.endsWith('destroy last\n'));
  server.kill('SIGKILL');
  await until('the expected state', () => !isAlive(pid));
});

/** A zombie process has an empty command line. */
function isAlive(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

test('restarts containers that exited or ended with the engine, by their restart policy', async () => {
  const { engine, folder } = newEngine();
  const service = (policy: string) => `{image: "app:1", restart: "${policy}"}`;
  writeFileSync(
    join(folder, 'compose.yaml'),
    `name: p\nservices:\n  job: ${service('no')}\n  web: ${service('unless-stopped')}\n`,
  );
  run(engine, folder, 'compose', 'up', '-d');
  const states = () => engine.containers().map(({ service, status }) => `${service} ${status}`);
  await engine.exitContainer('p-web-1', 1);
  assert.deepEqual(states(), ['job running', 'web restarting']);
  await until('the expected state', () => states().includes('web running'));
  await engine.stopDaemon('end');
  assert.ok(!states().some((state) => state.endsWith('running')), states().join());
  await engine.startDaemon();
  assert.deepEqual(states(), ['job exited', 'web running']);
});

test('passes --env-file to Compose, not to Node', () => {
  const { engine, folder } = newEngine();
  writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web: {image: "app:$' + '{TAG}"}\n');
  writeFileSync(join(folder, 'a.env'), 'TAG=one\n');
  writeFileSync(join(folder, 'b.env'), 'TAG=two\n');
  const done = run(engine, folder, 'compose', '--env-file', 'a.env', '--env-file', 'b.env', 'config', '--images');
  assert.equal(done.out, 'app:two\n');
});

test('reset clears state and log, but reuses no ids', async () => {
  const { engine, folder } = newEngine();
  await engine.fail({ on: 'pull' });
  await engine.clearFaults();
  const first = await engine.seedContainer({ name: 'one', image: 'app:1' });
  run(engine, folder, 'ps');
  await engine.advance('app:1');
  await engine.forget();
  const { serial, ...left } = engine.state();
  const { serial: _, ...empty } = emptyState();
  assert.deepEqual([left, engine.log()], [empty, []]);
  assert.ok(serial > 0);
  const second = await engine.seedContainer({ name: 'one', image: 'app:1' });
  assert.notEqual(second.id, first.id);
});

test('rejects a folder that others can access', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-open-'));
  folders.push(folder);
  mkdirSync(join(folder, 'docker'));
  chmodSync(join(folder, 'docker'), 0o755);
  assert.throws(() => openStore(join(folder, 'docker')), /open to others/);
});

test('runs from fakes/bin with only PATH and HOME set', () => {
  const program = join(import.meta.dirname, '../bin/docker');
  const done = spawnSync(program, ['version', '--format', '{{.Client.Version}}'], {
    env: environment(),
    encoding: 'utf8',
  });
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^\d+\.\d+\.\d+\n$/);
});
