// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../ports.ts';
import { makeEngine } from '../engine.ts';
import { findBash, residentLauncher } from './launcher.ts';
import { openResident } from './resident.ts';

const resident = await openResident();
const folder = mkdtempSync(join(tmpdir(), 'fake-docker-resident-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const engine = makeEngine(folder, resident);
const docker = join(engine.bin, 'docker');
const skip = resident === null ? 'this machine has no bash' : false;

/** Waits until the engine logged the call; the call must still be running. */
async function begun(child: ChildProcess, ...argv: string[]): Promise<void> {
  while (!argv.every((word, index) => engine.log().at(-1)?.argv[index] === word)) {
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], argv.join(' '));
    await new Promise(setImmediate);
  }
}

test('passes arguments and variables byte for byte, and the output in order', { skip }, () => {
  const text = '"\'$`\\\nü\t  ';
  writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web: {image: "app:1", labels: {text: "${TEXT}"}}\n');
  const env = { PATH: process.env.PATH, HOME: folder, TEXT: text };
  const up = spawnSync(docker, ['compose', '-p', 'p', 'up', '-d'], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(up.status, 0, up.stderr);
  assert.ok(up.stderr.endsWith(' Container p-web-1  Starting\n Container p-web-1  Started\n'), up.stderr);
  assert.equal(engine.container('p-web-1')?.labels.text, text);
  assert.deepEqual(engine.log().at(-1)?.names, ['HOME', 'PATH', 'TEXT']);
});

test('keeps inherited descriptors open, which may be locks', { skip }, async () => {
  const lock = join(folder, 'lock');
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

test('stops when its launcher is killed, and exits when its output is closed', {
  skip,
}, async () => {
  await engine.hang({ on: 'pull', match: 'killed', times: 1 });
  const killed = spawn(docker, ['pull', 'killed:1'], { stdio: 'ignore' });
  await begun(killed, 'pull', 'killed:1');
  killed.kill('SIGKILL');
  await once(killed, 'close');
  // The pipe is closed before any output.
  const unheard = spawn(docker, ['pull', 'unheard:1'], { stdio: ['ignore', 'pipe', 'pipe'] });
  unheard.stdout.destroy();
  unheard.stderr.destroy();
  assert.deepEqual(await once(unheard, 'exit'), [0, null]);
  const names = engine.images().flatMap(({ tags }) => tags);
  assert.ok(names.includes('unheard:1') && !names.includes('killed:1'), names.join());
});

test('starts a Node process when the thread is unreachable, or to read standard input', { skip }, async () => {
  const port = await freePort();
  const alone = join(folder, 'alone');
  const words = ['echo', 'by itself'];
  writeFileSync(alone, residentLauncher(findBash() ?? '', { port, secret: 's' }, folder, words), { mode: 0o700 });
  assert.equal(spawnSync(alone, ["it's"], { encoding: 'utf8' }).stdout, "by itself it's\n");
  // The shell makes a pipe. Node would make a socket, which cannot be opened by name.
  const piped = `echo 'services: {web: {image: "read:1"}}' | '${docker}' compose -f /dev/stdin -p q config --images`;
  const read = spawnSync('sh', ['-c', piped], { encoding: 'utf8' });
  assert.equal(read.stdout, 'read:1\n', read.stderr);
});

test('rejects calls without the secret', { skip }, async () => {
  const other = join(folder, 'other');
  const text = readFileSync(docker, 'utf8').replace(resident?.secret ?? '', 'guessed');
  writeFileSync(other, text, { mode: 0o700 });
  const done = spawnSync(other, ['pull', 'other:1'], { encoding: 'utf8' });
  assert.equal(done.status, 125);
  assert.ok(!engine.images().some(({ tags }) => tags.includes('other:1')));
});

test('does not wait for a pipe, which would block all other calls', { skip }, () => {
  const place = join(folder, 'piped');
  mkdirSync(place);
  writeFileSync(join(place, 'compose.yaml'), 'services: {web: {image: "app:${TAG:-1}"}}\n');
  const pipe = join(place, '.env');
  execFileSync('mkfifo', [pipe]);
  try {
    const argv = ['compose', 'config', '--images'];
    const done = spawnSync(docker, argv, { cwd: place, encoding: 'utf8', timeout: 30_000 });
    assert.deepEqual([done.stdout, done.status], ['app:1\n', 0], done.stderr);
  } finally {
    // Releases a reader that is still waiting, so that this process can exit.
    closeSync(openSync(pipe, 'r+'));
  }
});

test('finds a bash whose path fits into a shebang', () => {
  const place = (name: string) => join(folder, name);
  for (const name of ['with blank', 'plain']) {
    mkdirSync(place(name));
    symlinkSync('/bin/sh', join(place(name), 'bash'));
  }
  mkdirSync(place('no-program'));
  writeFileSync(join(place('no-program'), 'bash'), '', { mode: 0o600 });
  const found = findBash(['', '.', place('with blank'), place('no-program'), place('plain')].join(':'));
  assert.equal(found, join(place('plain'), 'bash'));
  assert.equal(findBash(place('with blank')), null);
});

test('ignores BASH_ENV and exported functions', { skip }, () => {
  const startUp = join(folder, 'start-up');
  writeFileSync(startUp, 'echo started\n');
  const env = { PATH: process.env.PATH, HOME: folder, BASH_ENV: startUp, 'BASH_FUNC_printf%%': '() { :; }' };
  const done = spawnSync(docker, ['--version'], { env, encoding: 'utf8', timeout: 30_000 });
  assert.match(done.stdout, /^Docker version /);
});
