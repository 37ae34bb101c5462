import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fakeDocker } from '../docker-view.ts';
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

test('applies a fault as often as configured, and counts it', async () => {
  const { engine, folder } = newEngine();
  const fault = await engine.fail({ on: 'pull', match: 'app', times: 1, kind: 'rate-limit' });
  const other = await engine.fail({ on: 'pull', match: 'another' });
  const failed = run(engine, folder, 'compose', 'pull', '-q');
  assert.equal(failed.status, 18);
  assert.match(failed.err, /toomanyrequests: You have reached your pull rate limit/);
  assert.equal(run(engine, folder, 'compose', 'pull', '-q').status, 0);
  assert.deepEqual([fault.used(), other.used()], [1, 0]);
  assert.deepEqual(
    engine.log().map((call) => call.faults),
    [[fault.id], []],
  );
});

test('keeps the effect of a command whose connection drops afterwards', async () => {
  const { engine, folder } = newEngine();
  await engine.fail({ on: 'up', kind: 'connection-dropped', times: 1 });
  const done = run(engine, folder, 'compose', 'up', '-d');
  assert.equal(done.status, 1);
  assert.match(done.err, /EOF$/m);
  assert.equal(engine.container('p-web-1')?.status, 'running');
});

test('reports a full disk and leaves the old container running', async () => {
  const { engine, folder } = newEngine();
  run(engine, folder, 'compose', 'up', '-d');
  const before = engine.container('p-web-1')?.id;
  await engine.fail({ on: 'create', kind: 'disk-full' });
  const done = run(engine, folder, 'compose', 'up', '-d', '--force-recreate');
  assert.equal(done.status, 1);
  assert.match(done.err, /no space left on device/);
  assert.deepEqual(
    engine.containers().map(({ id, status }) => [id, status]),
    [[before, 'running']],
  );
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

test('continues when the faults are cleared, and counts the hang', async () => {
  const { engine, folder } = newEngine();
  const waits = await engine.hang({ on: 'create', times: 1, ms: 3_600_000 });
  const child = begin(engine, folder, 'compose', 'up', '-d');
  const ended = once(child, 'exit');
  await until('the expected state', () => waits.used() === 1);
  await engine.clearFaults();
  assert.deepEqual(await ended, [0, null]);
  assert.equal(engine.container('p-web-1')?.status, 'running');
  assert.equal(waits.used(), 1);
});

test('lists only calls whose log line is complete', () => {
  const { engine, folder } = newEngine();
  run(engine, folder, 'images');
  appendFileSync(join(engine.folder, 'calls.jsonl'), '{"call":"7-1","at":1,"pi');
  assert.deepEqual(
    engine.log().map(({ argv, status }) => [argv, status]),
    [[['images'], 0]],
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

test('advances a tag only in the registry', async () => {
  const { engine, folder } = newEngine();
  const id = () => run(engine, folder, 'image', 'inspect', 'app:1', '--format', '{{.Id}}').out;
  run(engine, folder, 'pull', '-q', 'app:1');
  const before = id();
  assert.equal(await engine.advance('app:1'), 2);
  assert.equal(id(), before);
  assert.match(run(engine, folder, 'pull', 'app:1').out, /Status: Downloaded newer image for app:1/);
  assert.notEqual(id(), before);
  assert.match(run(engine, folder, 'pull', 'app:1').out, /Status: Image is up to date for app:1/);
});

test('gives the same reference the same id on every engine', () => {
  const ids = [newEngine(), newEngine()].map(({ engine, folder }) => {
    run(engine, folder, 'pull', '-q', 'app:1');
    return run(engine, folder, 'image', 'inspect', 'app:1', '--format', '{{.Id}}').out;
  });
  assert.equal(ids[0], ids[1]);
});

test('applies the behaviour of one generation: exits, is unhealthy, never starts', async () => {
  const { engine, folder } = newEngine();
  writeFileSync(
    join(folder, 'compose.yaml'),
    'name: p\nservices:\n  web: {image: "app:1", healthcheck: {test: [CMD, x]}}\n',
  );
  await engine.behave({ image: 'app:1', generation: 2, does: 'exit', exitCode: 7 });
  await engine.behave({ image: 'app:1', generation: 3, does: 'unhealthy' });
  await engine.behave({ image: 'app:1', generation: 4, does: 'never-start' });
  const seen: unknown[] = [];
  for (let generation = 1; generation <= 4; generation += 1) {
    const done = run(engine, folder, 'compose', 'up', '-d', '--pull', 'always');
    const container = engine.container('p-web-1');
    seen.push([
      done.status,
      container?.status,
      container?.exitCode,
      container?.status === 'running' && container.health,
    ]);
    await engine.advance('app:1');
  }
  assert.deepEqual(seen, [
    [0, 'running', 0, 'healthy'],
    [0, 'exited', 7, false],
    [0, 'running', 0, 'unhealthy'],
    [1, 'created', 127, false],
  ]);
});

test('restarts a container so quickly that it always looks running', async () => {
  const { engine, folder } = newEngine();
  const service = (policy: string) => `{image: "app:1", restart: "${policy}"}`;
  writeFileSync(
    join(folder, 'compose.yaml'),
    `name: p\nservices:\n  job: ${service('no')}\n  web: ${service('unless-stopped')}\n`,
  );
  await engine.behave({ image: 'app:1', does: 'restart' });
  run(engine, folder, 'compose', 'up', '-d');
  const format = '{{.State.Status}} {{.State.ExitCode}} {{gt .RestartCount 0}}';
  const stateOf = (service: string) => run(engine, folder, 'inspect', `p-${service}-1`, '--format', format).out.trim();
  assert.deepEqual([stateOf('web'), stateOf('job')], ['running 0 true', 'exited 1 false']);
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

test('streams events of timed changes and of manual actions', async () => {
  const { engine, folder } = newEngine();
  const { server, said } = follow(engine, folder);
  await heard(engine, said);
  await engine.behave({ image: 'late:1', does: 'exit', exitCode: 3, afterMs: 20 });
  await engine.seedContainer({ name: 'late', image: 'late:1' });
  await until('the expected state', () => said.out.endsWith('create late\nstart late\ndie late\n'));
  const { id } = await engine.seedContainer({ name: 'other', image: 'app:1' });
  await engine.exitContainer(id, 0);
  await engine.startContainerByHand(id);
  await engine.setHealth(id, 'unhealthy');
  await engine.stopContainerByHand(id);
  await engine.removeContainerByHand(id);
  const actions = [
    'create',
    'start',
    'die',
    'start',
    'health_status: unhealthy',
    'kill',
    'kill',
    'die',
    'stop',
    'destroy',
  ];
  await until('the expected state', () => said.out.endsWith(actions.map((action) => `${action} other\n`).join('')));
  server.kill();
});

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

test('logs the lines of a crashing image at every start', async () => {
  const { engine, folder } = newEngine();
  writeFileSync(join(folder, 'compose.yaml'), 'name: p\nservices:\n  web: {image: "app:1", restart: unless-stopped}\n');
  const docker = fakeDocker(engine);
  await docker.crash('app:1', 3, ['no database', 'giving up']);
  run(engine, folder, 'compose', 'up', '-d');
  await until('the expected state', () => (engine.state().containers[0]?.restartCount ?? 0) >= 2);
  const log = run(engine, folder, 'logs', '--tail', '3', 'p-web-1');
  assert.deepEqual(log, { status: 0, out: '', err: 'giving up\nno database\ngiving up\n' });
  assert.match(run(engine, folder, 'compose', 'ps', '--format', '{{.Status}}').out, /^Restarting \(3\) /);
});

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

test('supports manual actions of the owner', async () => {
  const { engine, folder } = newEngine();
  run(engine, folder, 'compose', 'up', '-d');
  await engine.exitContainer('p-web-1', 1);
  assert.match(run(engine, folder, 'ps', '-a', '--format', '{{.Status}}').out, /^Exited \(1\)/);
  await engine.removeContainerByHand('p-web-1');
  assert.equal(run(engine, folder, 'ps', '-aq').out, '');
  const seeded = await engine.seedContainer({ name: 'other', image: 'x:1', labels: { a: 'b' } });
  assert.equal(run(engine, folder, 'ps', '-q', '--no-trunc', '--filter', 'label=a=b').out.trim(), seeded.id);
});

test('logs arguments, directory and variables of a call', () => {
  const { engine, folder } = newEngine();
  const env = environment({ DOCKER_HOST: 'unix:///x', DOCKER_AUTH_CONFIG: 'hidden', EXTRA: 'secret' });
  spawnSync(join(engine.bin, 'docker'), ['ps', '-a'], { cwd: folder, env });
  const [call] = engine.log();
  assert.deepEqual([call?.argv, call?.cwd, call?.status], [['ps', '-a'], folder, 0]);
  assert.deepEqual(call?.env, { DOCKER_HOST: 'unix:///x', DOCKER_AUTH_CONFIG: '(not logged)' });
  assert.ok(call?.names.includes('EXTRA'));
  assert.doesNotMatch(JSON.stringify(engine.log()), /hidden|secret/);
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

test('reset fails while a call is running', async () => {
  const { engine, folder } = newEngine();
  await engine.seedContainer({ name: 'one', image: 'app:1' });
  run(engine, folder, 'ps');
  appendFileSync(join(engine.folder, 'calls.jsonl'), `${JSON.stringify({ call: 'x', argv: ['pull'] })}\n`);
  await assert.rejects(engine.forget(), /a call is under way/);
  assert.equal(engine.containers().length, 1);
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
