import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * One body for the stand-in and the real service manager: BOXGATE_SYSTEMD=real asks the `systemd-run` and
 * `systemctl` on PATH, anything else the executables of this repository.
 */
const real = process.env.BOXGATE_SYSTEMD === 'real';
const bin = join(import.meta.dirname, '..', 'bin');
const folder = mkdtempSync(join(process.env.BOXGATE_SYSTEMD_SCRATCH ?? tmpdir(), 'boxgate-systemd-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const prefix = `boxgate-contract-${process.pid}`;
let number = 0;
const newName = () => {
  number += 1;
  return `${prefix}-${number}`;
};

function run(tool: 'systemd-run' | 'systemctl', ...argv: string[]) {
  const env = { ...process.env, BOXGATE_SYSTEMD_DIR: join(folder, 'manager') };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(real ? tool : join(bin, tool), argv, { env }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function until(what: string, holds: () => boolean | Promise<boolean>) {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`not within 60 s: ${what}`);
    await pause(10);
  }
}

const state = async (name: string) => (await run('systemctl', 'is-active', name)).stdout.trim();

test('says which unit runs, and hands on variables and arguments', async () => {
  const name = newName();
  const file = join(folder, 'seen');
  const command = ['/bin/sh', '-c', 'printf "%s|%s|%s" "$GIVEN" "$1" "$(pwd)" >"$2"', '_', 'a b', file];
  const answer = await run(
    'systemd-run',
    `--unit=${name}`,
    '--collect',
    '--setenv=GIVEN=x y',
    '--',
    ...command,
  );
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, new RegExp(`^Running as unit: ${name}\\.service`));
  await until('the job wrote', () => existsSync(file) && readFileSync(file, 'utf8') === 'x y|a b|/');
});

test('a unit without --setenv does not see the variables of its caller', async () => {
  const file = join(folder, 'bare');
  process.env.OUTSIDE = 'leaks';
  await run(
    'systemd-run',
    '--unit',
    newName(),
    '--collect',
    '/bin/sh',
    '-c',
    `printf "[$0]%s" "$OUTSIDE" >${file}`,
  );
  await until('the job wrote', () => existsSync(file) && readFileSync(file, 'utf8').length > 0);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /leaks/);
});

test('refuses a second unit under one name, in its own words', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '--collect', 'sleep', '30');
  const second = await run('systemd-run', '--unit', name, '--collect', 'sleep', '30');
  assert.equal(second.status, 1);
  assert.match(
    second.stderr,
    new RegExp(`Failed to start transient service unit: Unit ${name}.service was already`),
  );
  assert.equal(await state(name), 'active');
  assert.equal((await run('systemctl', 'stop', name)).status, 0);
  assert.equal(await state(name), 'inactive');
});

test('a failed unit keeps its name until reset-failed', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '/bin/sh', '-c', 'exit 7');
  await until('it failed', async () => (await state(name)) === 'failed');
  assert.equal((await run('systemctl', 'is-failed', name)).status, 0);
  const shown = await run(
    'systemctl',
    'show',
    '-p',
    'ActiveState',
    '-p',
    'ExecMainStatus',
    `${name}.service`,
  );
  assert.deepEqual(shown.stdout.trim().split('\n').sort(), ['ActiveState=failed', 'ExecMainStatus=7']);
  assert.equal((await run('systemd-run', '--unit', name, 'true')).status, 1);
  assert.equal((await run('systemctl', 'reset-failed', name)).status, 0);
  assert.equal((await run('systemd-run', '--unit', name, '--collect', 'true')).status, 0);
});

test('with --collect a failed unit leaves its name free', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '--collect', '/bin/sh', '-c', 'exit 7');
  await until('it is gone', async () => (await state(name)) === 'inactive');
  const again = await run('systemd-run', '--unit', name, '--collect', 'true');
  assert.equal(again.status, 0, again.stderr);
});

test('a program that is not there is a failure at once', async () => {
  const answer = await run('systemd-run', '--unit', newName(), '--collect', 'no-such-program-anywhere');
  assert.equal(answer.status, 1);
  assert.match(
    answer.stderr,
    /Failed to find executable no-such-program-anywhere: No such file or directory/,
  );
});

test('what is not loaded has its own exit statuses', async () => {
  const name = `${newName()}.service`;
  assert.equal((await run('systemctl', 'is-active', name)).status, 3);
  assert.equal((await run('systemctl', 'is-failed', name)).status, 1);
  assert.equal((await run('systemctl', 'status', name)).status, 4);
  const stop = await run('systemctl', 'stop', name);
  assert.equal(stop.status, 5);
  assert.match(stop.stderr, new RegExp(`Failed to stop ${name}: Unit ${name} not loaded\\.`));
  const reset = await run('systemctl', 'reset-failed', name);
  assert.equal(reset.status, 1);
  assert.match(reset.stderr, /not loaded/);
  const shown = await run('systemctl', 'show', '--property=LoadState', '--value', name);
  assert.equal(shown.stdout.trim(), 'not-found');
});

test('the job outlives the process group of its caller', async () => {
  const name = newName();
  const started = join(folder, 'started');
  const done = join(folder, 'done');
  const script = `touch ${started}; while [ ! -e ${folder}/go ]; do sleep 0.05; done; touch ${done}`;
  await run('systemd-run', '--unit', name, '--collect', '/bin/sh', '-c', script);
  await until('it started', () => existsSync(started));
  const pid = Number((await run('systemctl', 'show', '-p', 'MainPID', '--value', name)).stdout);
  assert.ok(pid > 1);
  const group = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2];
  const own = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[2];
  assert.notEqual(group, own);
  await run('systemd-run', '--unit', newName(), '--collect', 'touch', join(folder, 'go'));
  await until('it went on', () => existsSync(done));
});

test('stand-in only: what it does not know is refused', { skip: real }, async () => {
  assert.equal((await run('systemd-run', '--pty', 'true')).status, 125);
  assert.equal((await run('systemctl', 'edit', 'x')).status, 125);
});
