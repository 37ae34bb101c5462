// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../ports.ts';
import { makeEngine } from '../engine.ts';
import { findBash, residentLauncher } from './launcher.ts';
import { openResident } from './resident.ts';

const resident = await openResident();
const world = mkdtempSync(join(tmpdir(), 'fake-docker-resident-'));
after(() => rmSync(world, { recursive: true, force: true }));
const engine = makeEngine(world, {}, resident);
const docker = join(engine.bin, 'docker');
const skip = resident === null ? 'this machine has no bash' : false;

/** Until the engine knows of a call, which must not have ended before. */
async function begun(child: ChildProcess, ...argv: string[]): Promise<void> {
  while (!argv.every((word, index) => engine.log().at(-1)?.argv[index] === word)) {
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], argv.join(' '));
    await new Promise(setImmediate);
  }
}

test('hands on arguments and variables byte for byte, and what is said in order', { skip }, () => {
  const text = '"\'$`\\\nü\t  ';
  writeFileSync(
    join(world, 'compose.yaml'),
    'services:\n  web: {image: "app:1", labels: {told: "${TOLD}"}}\n',
  );
  const env = { PATH: process.env.PATH, HOME: world, TOLD: text };
  const up = spawnSync(docker, ['compose', '-p', 'p', 'up', '-d'], { cwd: world, env, encoding: 'utf8' });
  assert.equal(up.status, 0, up.stderr);
  assert.ok(up.stderr.endsWith(' Container p-web-1  Starting\n Container p-web-1  Started\n'), up.stderr);
  assert.equal(engine.container('p-web-1')?.labels.told, text);
  assert.deepEqual(engine.log().at(-1)?.names, ['HOME', 'PATH', 'TOLD']);
});

test('keeps open what it was given, which may be a lock', { skip }, async () => {
  const lock = join(world, 'lock');
  await engine.hang({ on: 'ps', times: 1 });
  const descriptor = openSync(lock, 'a');
  spawnSync('flock', ['3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  const child = spawn(docker, ['ps'], { stdio: ['ignore', 'pipe', 'pipe', descriptor] });
  closeSync(descriptor);
  await begun(child, 'ps');
  assert.equal(spawnSync('flock', ['-n', lock, 'true']).status, 1);
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.equal(spawnSync('flock', ['-n', lock, 'true']).status, 0);
});

test('goes no further once its launcher was killed, and ends all the same when nobody listens to it', {
  skip,
}, async () => {
  await engine.hang({ on: 'pull', match: 'killed', times: 1 });
  const killed = spawn(docker, ['pull', 'killed:1'], { stdio: 'ignore' });
  await begun(killed, 'pull', 'killed:1');
  killed.kill('SIGKILL');
  await once(killed, 'close');
  // The pipe is closed before anything is said.
  const unheard = spawn(docker, ['pull', 'unheard:1'], { stdio: ['ignore', 'pipe', 'pipe'] });
  unheard.stdout.destroy();
  unheard.stderr.destroy();
  assert.deepEqual(await once(unheard, 'exit'), [0, null]);
  const names = engine.images().flatMap(({ tags }) => tags);
  assert.ok(names.includes('unheard:1') && !names.includes('killed:1'), names.join());
});

test('is a Node of its own where nobody answers, and where it has to read its input', { skip }, async () => {
  const port = await freePort();
  const alone = join(world, 'alone');
  const words = ['echo', 'by itself'];
  writeFileSync(alone, residentLauncher(findBash() ?? '', { port, secret: 's' }, world, words), {
    mode: 0o700,
  });
  assert.equal(spawnSync(alone, ["it's"], { encoding: 'utf8' }).stdout, "by itself it's\n");
  // A pipe, which a shell makes: a program's input from Node is a socket, which nobody can open by that name.
  const piped = `echo 'services: {web: {image: "read:1"}}' | '${docker}' compose -f /dev/stdin -p q config --images`;
  const read = spawnSync('sh', ['-c', piped], { encoding: 'utf8' });
  assert.equal(read.stdout, 'read:1\n', read.stderr);
});

test('takes nothing from those who do not know the secret', { skip }, async () => {
  const stranger = join(world, 'stranger');
  const text = readFileSync(docker, 'utf8').replace(resident?.secret ?? '', 'guessed');
  writeFileSync(stranger, text, { mode: 0o700 });
  const done = spawnSync(stranger, ['pull', 'stranger:1'], { encoding: 'utf8' });
  assert.equal(done.status, 125);
  assert.ok(!engine.images().some(({ tags }) => tags.includes('stranger:1')));
});

test('waits for nobody who may write to a pipe, which would stop all other calls', { skip }, () => {
  const folder = join(world, 'piped');
  mkdirSync(folder);
  writeFileSync(join(folder, 'compose.yaml'), 'services: {web: {image: "app:${TAG:-1}"}}\n');
  const pipe = join(folder, '.env');
  execFileSync('mkfifo', [pipe]);
  try {
    const argv = ['compose', 'config', '--images'];
    const done = spawnSync(docker, argv, { cwd: folder, encoding: 'utf8', timeout: 30_000 });
    assert.deepEqual([done.stdout, done.status], ['app:1\n', 0], done.stderr);
  } finally {
    // Whoever waits there all the same goes on, or else this process could not end.
    closeSync(openSync(pipe, 'r+'));
  }
});

test('finds a bash that the first line of a script can name', () => {
  const folder = (name: string) => join(world, name);
  for (const name of ['with blank', 'plain']) {
    mkdirSync(folder(name));
    symlinkSync('/bin/sh', join(folder(name), 'bash'));
  }
  mkdirSync(folder('no-program'));
  writeFileSync(join(folder('no-program'), 'bash'), '', { mode: 0o600 });
  const found = findBash(['', '.', folder('with blank'), folder('no-program'), folder('plain')].join(':'));
  assert.equal(found, join(folder('plain'), 'bash'));
  assert.equal(findBash(folder('with blank')), null);
});

test('runs no start-up file that a variable names', { skip }, () => {
  const startUp = join(world, 'start-up');
  writeFileSync(startUp, 'echo started\n');
  const env = { PATH: process.env.PATH, HOME: world, BASH_ENV: startUp, 'BASH_FUNC_printf%%': '() { :; }' };
  const done = spawnSync(docker, ['--version'], { env, encoding: 'utf8', timeout: 30_000 });
  assert.match(done.stdout, /^Docker version /);
});
