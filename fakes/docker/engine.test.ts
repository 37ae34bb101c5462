import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fakeDocker } from '../docker-view.ts';
import { residentOfTests } from './contract-subject.ts';
import { type FakeEngine, makeEngine } from './engine.ts';
import { emptyState } from './model/state.ts';
import { openStore } from './transport/store.ts';

/** What the fake offers beyond the real one: scripts, counted faults, the log, and that nothing breaks it. */
const resident = await residentOfTests();
const worlds: string[] = [];
after(() => {
  for (const world of worlds) rmSync(world, { recursive: true, force: true });
});

function newEngine(change = {}): { engine: FakeEngine; world: string } {
  const world = mkdtempSync(join(tmpdir(), 'fake-docker-engine-'));
  worlds.push(world);
  writeFileSync(join(world, 'compose.yaml'), 'name: p\nservices:\n  web: {image: "app:1"}\n');
  return { engine: makeEngine(world, change, resident), world };
}

const environment = (more = {}) => ({ PATH: '/usr/bin:/bin', HOME: '/', ...more });

function run(engine: FakeEngine, world: string, ...argv: string[]) {
  const done = spawnSync(join(engine.bin, 'docker'), argv, {
    cwd: world,
    env: environment(),
    encoding: 'utf8',
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function begin(engine: FakeEngine, world: string, ...argv: string[]): ChildProcess {
  return spawn(join(engine.bin, 'docker'), argv, { cwd: world, env: environment(), stdio: 'ignore' });
}

async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!holds()) {
    assert.ok(Date.now() < giveUpAt, 'it did not come to pass in 60 s');
    await pause(5);
  }
}

test('refuses what it does not know with 125 and one line', () => {
  const { engine, world } = newEngine();
  for (const argv of [
    ['bogus'],
    ['ps', '--bogus'],
    ['compose', 'exec', 'web', 'sh'],
    ['compose', 'up'],
    ['events'],
    ['events', '--format', 'json', '--filter', 'type=network'],
    ['events', '--format', 'json', '--since', '1h'],
  ]) {
    const done = run(engine, world, ...argv);
    assert.equal(done.status, 125, argv.join(' '));
    assert.match(done.err, /^fake docker: .* is not known here .*\n$/);
    assert.equal(done.out, '');
  }
});

test('lets a fault strike as often as it was scripted, and counts it', async () => {
  const { engine, world } = newEngine();
  const fault = await engine.fail({ on: 'pull', match: 'app', times: 1, kind: 'rate-limit' });
  const other = await engine.fail({ on: 'pull', match: 'another' });
  const failed = run(engine, world, 'compose', 'pull', '-q');
  assert.equal(failed.status, 18);
  assert.match(failed.err, /toomanyrequests: You have reached your pull rate limit/);
  assert.equal(run(engine, world, 'compose', 'pull', '-q').status, 0);
  assert.deepEqual([fault.used(), other.used()], [1, 0]);
  assert.deepEqual(
    engine.log().map((call) => call.faults),
    [[fault.id], []],
  );
});

test('keeps the effect of a command whose connection drops behind it', async () => {
  const { engine, world } = newEngine();
  await engine.fail({ on: 'up', kind: 'connection-dropped', times: 1 });
  const done = run(engine, world, 'compose', 'up', '-d');
  assert.equal(done.status, 1);
  assert.match(done.err, /EOF$/m);
  assert.equal(engine.container('p-web-1')?.status, 'running');
});

test('tells a full disk and leaves the old container running', async () => {
  const { engine, world } = newEngine();
  run(engine, world, 'compose', 'up', '-d');
  const before = engine.container('p-web-1')?.id;
  await engine.fail({ on: 'create', kind: 'disk-full' });
  const done = run(engine, world, 'compose', 'up', '-d', '--force-recreate');
  assert.equal(done.status, 1);
  assert.match(done.err, /no space left on device/);
  assert.deepEqual(
    engine.containers().map(({ id, status }) => [id, status]),
    [[before, 'running']],
  );
});

test('hangs until it is killed, and is whole afterwards', async () => {
  const { engine, world } = newEngine();
  const fault = await engine.hang({ on: 'create', times: 1 });
  const child = begin(engine, world, 'compose', 'up', '-d');
  await until(() => fault.used() === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(engine.log()[0]?.status, undefined, 'the log shows a call that never ended');
  assert.equal(run(engine, world, 'compose', 'up', '-d').status, 0);
  assert.deepEqual(
    engine.containers().map((one) => one.status),
    ['running'],
  );
});

test('goes on at once where it hangs when the faults are cleared, and counts what struck', async () => {
  const { engine, world } = newEngine();
  const waits = await engine.hang({ on: 'create', times: 1, ms: 3_600_000 });
  const child = begin(engine, world, 'compose', 'up', '-d');
  const ended = once(child, 'exit');
  await until(() => waits.used() === 1);
  await engine.clearFaults();
  assert.deepEqual(await ended, [0, null]);
  assert.equal(engine.container('p-web-1')?.status, 'running');
  assert.equal(waits.used(), 1);
});

test('tells the calls whose line of the log is whole', () => {
  const { engine, world } = newEngine();
  run(engine, world, 'volume', 'ls');
  appendFileSync(join(engine.folder, 'calls.jsonl'), '{"call":"7-1","at":1,"pi');
  assert.deepEqual(
    engine.log().map(({ argv, status }) => [argv, status]),
    [[['volume', 'ls'], 0]],
  );
});

test('serves callers side by side without losing a change', async () => {
  const { engine, world } = newEngine();
  const children = Array.from({ length: 12 }, (_none, index) =>
    begin(engine, world, 'volume', 'create', `v${index}`),
  );
  const ended = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.ok(ended.every(([status]) => status === 0));
  assert.equal(engine.volumes().length, 12);
});

test('survives callers that are killed at any moment', async () => {
  const { engine, world } = newEngine();
  for (let round = 0; round < 8; round += 1) {
    const child = begin(engine, world, 'compose', 'up', '-d', '--force-recreate');
    const ended = once(child, 'exit');
    await pause(30 + round * 12);
    child.kill('SIGKILL');
    await ended;
    assert.doesNotThrow(() => engine.state());
  }
  run(engine, world, 'compose', '-p', 'p', 'down');
  assert.equal(run(engine, world, 'compose', 'up', '-d').status, 0);
  assert.equal(engine.container('p-web-1')?.status, 'running');
});

test('gives a tag new content in the registry alone', async () => {
  const { engine, world } = newEngine();
  const id = () => run(engine, world, 'image', 'inspect', 'app:1', '--format', '{{.Id}}').out;
  run(engine, world, 'pull', '-q', 'app:1');
  const before = id();
  assert.equal(await engine.advance('app:1'), 2);
  assert.equal(id(), before);
  assert.match(run(engine, world, 'pull', 'app:1').out, /Status: Downloaded newer image for app:1/);
  assert.notEqual(id(), before);
  assert.match(run(engine, world, 'pull', 'app:1').out, /Status: Image is up to date for app:1/);
});

test('gives the same reference the same id on every engine', () => {
  const ids = [newEngine(), newEngine()].map(({ engine, world }) => {
    run(engine, world, 'pull', '-q', 'app:1');
    return run(engine, world, 'image', 'inspect', 'app:1', '--format', '{{.Id}}').out;
  });
  assert.equal(ids[0], ids[1]);
});

test('plays what an image of one generation does: ends, is unhealthy, never starts', async () => {
  const { engine, world } = newEngine();
  writeFileSync(
    join(world, 'compose.yaml'),
    'name: p\nservices:\n  web: {image: "app:1", healthcheck: {test: [CMD, x]}}\n',
  );
  await engine.behave({ image: 'app:1', generation: 2, does: 'exit', exitCode: 7 });
  await engine.behave({ image: 'app:1', generation: 3, does: 'unhealthy' });
  await engine.behave({ image: 'app:1', generation: 4, does: 'never-start' });
  const seen: unknown[] = [];
  for (let generation = 1; generation <= 4; generation += 1) {
    const done = run(engine, world, 'compose', 'up', '-d', '--pull', 'always');
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

test('starts what ends over and over again so quickly that whoever looks finds it running', async () => {
  const { engine, world } = newEngine();
  const service = (policy: string) => `{image: "app:1", restart: "${policy}"}`;
  writeFileSync(
    join(world, 'compose.yaml'),
    `name: p\nservices:\n  job: ${service('no')}\n  web: ${service('unless-stopped')}\n`,
  );
  await engine.behave({ image: 'app:1', does: 'restart' });
  run(engine, world, 'compose', 'up', '-d');
  const format = '{{.State.Status}} {{.State.ExitCode}} {{gt .RestartCount 0}}';
  const told = (service: string) =>
    run(engine, world, 'inspect', `p-${service}-1`, '--format', format).out.trim();
  assert.deepEqual([told('web'), told('job')], ['running 0 true', 'exited 1 false']);
});

/** A server that follows events as the box does: with a child that the kernel ends with it. */
function follow(engine: FakeEngine, world: string) {
  const docker = join(engine.bin, 'docker');
  const argv = [
    '--pdeathsig',
    'TERM',
    docker,
    'events',
    '--format',
    '{{.Action}} {{.Actor.Attributes.name}}',
  ];
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn('setpriv', ${JSON.stringify(argv)}, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', (status) => process.exit(status ?? 1));`;
  const server = spawn(process.execPath, ['-e', program], {
    cwd: world,
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

/** Makes and removes containers until the follower hears of it. */
async function heard(engine: FakeEngine, said: { out: string }): Promise<void> {
  for (let count = 0; said.out === ''; count += 1) {
    const { id } = await engine.seedContainer({ name: `c${count}`, image: 'app:1' });
    await engine.removeContainerByHand(id);
    await pause(5);
  }
}

test('tells at once what happens by itself, and what is done by hand', async () => {
  const { engine, world } = newEngine();
  const { server, said } = follow(engine, world);
  await heard(engine, said);
  await engine.behave({ image: 'late:1', does: 'exit', exitCode: 3, afterMs: 20 });
  await engine.seedContainer({ name: 'late', image: 'late:1' });
  await until(() => said.out.endsWith('create late\nstart late\ndie late\n'));
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
  await until(() => said.out.endsWith(actions.map((action) => `${action} other\n`).join('')));
  server.kill();
});

test('ends a call that follows events with the engine, as the real client does', async () => {
  const { engine, world } = newEngine();
  const { server, said } = follow(engine, world);
  await heard(engine, said);
  await engine.seedContainer({ name: 'last', image: 'app:1' });
  const ended = once(server, 'close');
  await engine.stopDaemon();
  assert.deepEqual(await ended, [1, null]);
  assert.equal(said.err, 'unexpected EOF\n');
  assert.ok(said.out.endsWith('create last\nstart last\n'), said.out);
  await engine.startDaemon();
  const argv = ['events', '--since', '0', '--until', String(Date.now() / 1000), '--format', 'json'];
  assert.deepEqual(run(engine, world, ...argv), { status: 0, out: '', err: '' });
});

test('ends a call that follows events with its caller, and can be made tidy beside one', async () => {
  const { engine, world } = newEngine();
  const { server, said } = follow(engine, world);
  await heard(engine, said);
  const pid = engine.log().find(({ argv }) => argv[0] === 'events')?.pid;
  await engine.seedContainer({ name: 'last', image: 'app:1' });
  await engine.forget();
  await until(() => said.out.endsWith('destroy last\n'));
  server.kill('SIGKILL');
  await until(() => !isAlive(pid));
});

/** A process that has ended and was not waited for has an empty command line. */
function isAlive(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    // It is gone.
    return false;
  }
}

test('plays an image that writes its last words and exits, at every start', async () => {
  const { engine, world } = newEngine();
  writeFileSync(
    join(world, 'compose.yaml'),
    'name: p\nservices:\n  web: {image: "app:1", restart: unless-stopped}\n',
  );
  const docker = fakeDocker(engine);
  await docker.crash('app:1', 3, ['no database', 'giving up']);
  run(engine, world, 'compose', 'up', '-d');
  await until(() => engine.state().containers[0]?.restartCount === 2);
  const log = run(engine, world, 'logs', '--tail', '3', 'p-web-1');
  assert.deepEqual(log, { status: 0, out: '', err: 'giving up\nno database\ngiving up\n' });
  assert.match(run(engine, world, 'compose', 'ps', '--format', '{{.Status}}').out, /^Restarting \(3\) /);
});

test('starts again what exits by itself, and what ended with the engine, where the restart policy says so', async () => {
  const { engine, world } = newEngine();
  const service = (policy: string) => `{image: "app:1", restart: "${policy}"}`;
  writeFileSync(
    join(world, 'compose.yaml'),
    `name: p\nservices:\n  job: ${service('no')}\n  web: ${service('unless-stopped')}\n`,
  );
  run(engine, world, 'compose', 'up', '-d');
  const states = () => engine.containers().map(({ service, status }) => `${service} ${status}`);
  await engine.exitContainer('p-web-1', 1);
  assert.deepEqual(states(), ['job running', 'web restarting']);
  await until(() => states().includes('web running'));
  await engine.stopDaemon('end');
  assert.ok(!states().some((state) => state.endsWith('running')), states().join());
  await engine.startDaemon();
  assert.deepEqual(states(), ['job exited', 'web running']);
});

test('shows one image under two ids when the store is split', async () => {
  const { engine, world } = newEngine();
  run(engine, world, 'compose', 'up', '-d');
  await engine.useImageStore('split');
  const ofContainer = run(engine, world, 'inspect', 'p-web-1', '--format', '{{.Image}}').out.trim();
  const ofImage = run(engine, world, 'image', 'inspect', 'app:1', '--format', '{{.Id}}').out.trim();
  assert.notEqual(ofContainer, ofImage);
  assert.equal(
    run(engine, world, 'image', 'inspect', ofContainer, '--format', '{{.Id}}').out.trim(),
    ofImage,
  );
});

test("lets the owner act behind a server's back", async () => {
  const { engine, world } = newEngine();
  run(engine, world, 'compose', 'up', '-d');
  await engine.exitContainer('p-web-1', 1);
  assert.match(run(engine, world, 'ps', '-a', '--format', '{{.Status}}').out, /^Exited \(1\)/);
  await engine.removeContainerByHand('p-web-1');
  assert.equal(run(engine, world, 'ps', '-aq').out, '');
  const seeded = await engine.seedContainer({ name: 'other', image: 'x:1', labels: { a: 'b' } });
  assert.equal(run(engine, world, 'ps', '-q', '--no-trunc', '--filter', 'label=a=b').out.trim(), seeded.id);
});

test('logs what it was asked, where, and with which variables', () => {
  const { engine, world } = newEngine();
  const env = environment({ DOCKER_HOST: 'unix:///x', DOCKER_AUTH_CONFIG: 'hidden', EXTRA: 'secret' });
  spawnSync(join(engine.bin, 'docker'), ['ps', '-a'], { cwd: world, env });
  const [call] = engine.log();
  assert.deepEqual([call?.argv, call?.cwd, call?.status], [['ps', '-a'], world, 0]);
  assert.deepEqual(call?.env, { DOCKER_HOST: 'unix:///x', DOCKER_AUTH_CONFIG: '(not logged)' });
  assert.ok(call?.names.includes('EXTRA'));
  assert.doesNotMatch(JSON.stringify(engine.log()), /hidden|secret/);
});

test('hands an environment file of Compose to Compose, not to Node', () => {
  const { engine, world } = newEngine();
  writeFileSync(join(world, 'compose.yaml'), 'services:\n  web: {image: "app:$' + '{TAG}"}\n');
  writeFileSync(join(world, 'a.env'), 'TAG=one\n');
  writeFileSync(join(world, 'b.env'), 'TAG=two\n');
  const done = run(
    engine,
    world,
    'compose',
    '--env-file',
    'a.env',
    '--env-file',
    'b.env',
    'config',
    '--images',
  );
  assert.equal(done.out, 'app:two\n');
});

test('forgets what it holds and what it was asked, but not which numbers it has given', async () => {
  const { engine, world } = newEngine();
  await engine.fail({ on: 'pull' });
  await engine.clearFaults();
  const first = await engine.seedContainer({ name: 'one', image: 'app:1' });
  run(engine, world, 'ps');
  await engine.advance('app:1');
  await engine.forget();
  const { serial, ...left } = engine.state();
  const { serial: _, ...empty } = emptyState();
  assert.deepEqual([left, engine.log()], [empty, []]);
  assert.ok(serial > 0);
  const second = await engine.seedContainer({ name: 'one', image: 'app:1' });
  assert.notEqual(second.id, first.id);
});

test('forgets nothing while a call is under way', async () => {
  const { engine, world } = newEngine();
  await engine.seedContainer({ name: 'one', image: 'app:1' });
  run(engine, world, 'ps');
  appendFileSync(join(engine.folder, 'calls.jsonl'), `${JSON.stringify({ call: 'x', argv: ['pull'] })}\n`);
  await assert.rejects(engine.forget(), /a call is under way/);
  assert.equal(engine.containers().length, 1);
});

test('refuses a folder that is open to others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-open-'));
  worlds.push(folder);
  mkdirSync(join(folder, 'docker'));
  chmodSync(join(folder, 'docker'), 0o755);
  assert.throws(() => openStore(join(folder, 'docker')), /open to others/);
});

test('starts from the folder of executables with nothing but PATH and HOME set', () => {
  const program = join(import.meta.dirname, '../bin/docker');
  const done = spawnSync(program, ['version', '--format', '{{.Client.Version}}'], {
    env: environment(),
    encoding: 'utf8',
  });
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^\d+\.\d+\.\d+\n$/);
});
