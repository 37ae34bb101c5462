import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../pause.ts';

/**
 * The contract of the fake and real systemd. With `BOXGATE_SYSTEMD=real` it runs `systemd-run` and `systemctl` from
 * PATH, otherwise the executables of this repository.
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

const state = async (name: string) => (await run('systemctl', 'is-active', name)).stdout.trim();

/** The requested properties of a unit, in order. */
async function show(name: string, ...properties: string[]): Promise<string[]> {
  const { stdout } = await run('systemctl', 'show', ...properties.flatMap((one) => ['-p', one]), name);
  const values = new Map(stdout.split('\n').map((line) => line.split(/=(.*)/s) as [string, string]));
  return properties.map((one) => values.get(one) ?? '');
}

test('prints the unit name, and passes variables and arguments', async () => {
  const name = newName();
  const file = join(folder, 'seen');
  const command = ['/bin/sh', '-c', 'printf "%s|%s|%s" "$GIVEN" "$1" "$(pwd)" >"$2"', '_', 'a b', file];
  const answer = await run('systemd-run', `--unit=${name}`, '--collect', '--setenv=GIVEN=x y', '--', ...command);
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, new RegExp(`^Running as unit: ${name}\\.service`));
  await until('the job wrote', () => existsSync(file) && readFileSync(file, 'utf8') === 'x y|a b|/');
});

test('without --setenv a unit does not get the variables of its caller', async () => {
  const file = join(folder, 'bare');
  process.env.OUTSIDE = 'leaks';
  await run('systemd-run', '--unit', newName(), '--collect', '/bin/sh', '-c', `printf "[$0]%s" "$OUTSIDE" >${file}`);
  await until('the job wrote', () => existsSync(file) && readFileSync(file, 'utf8').length > 0);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /leaks/);
});

test('rejects a second unit with the same name', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '--collect', 'sleep', '30');
  const second = await run('systemd-run', '--unit', name, '--collect', 'sleep', '30');
  assert.equal(second.status, 1);
  assert.match(second.stderr, new RegExp(`Failed to start transient service unit: Unit ${name}.service was already`));
  assert.equal(await state(name), 'active');
  assert.equal((await run('systemctl', 'stop', name)).status, 0);
  assert.equal(await state(name), 'inactive');
});

test('a failed unit keeps its name until reset-failed', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '/bin/sh', '-c', 'exit 7');
  await until('it failed', async () => (await state(name)) === 'failed');
  assert.equal((await run('systemctl', 'is-failed', name)).status, 0);
  const shown = await run('systemctl', 'show', '-p', 'ActiveState', '-p', 'ExecMainStatus', `${name}.service`);
  assert.deepEqual(shown.stdout.trim().split('\n').sort(), ['ActiveState=failed', 'ExecMainStatus=7']);
  assert.equal((await run('systemd-run', '--unit', name, 'true')).status, 1);
  assert.equal((await run('systemctl', 'reset-failed', name)).status, 0);
  assert.equal((await run('systemd-run', '--unit', name, '--collect', 'true')).status, 0);
});

test('with --collect a failed unit frees its name', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '--collect', '/bin/sh', '-c', 'exit 7');
  await until('it is gone', async () => (await state(name)) === 'inactive');
  const again = await run('systemd-run', '--unit', name, '--collect', 'true');
  assert.equal(again.status, 0, again.stderr);
});

test('a missing program fails at once', async () => {
  const answer = await run('systemd-run', '--unit', newName(), '--collect', 'no-such-program-anywhere');
  assert.equal(answer.status, 1);
  assert.match(answer.stderr, /Failed to find executable no-such-program-anywhere: No such file or directory/);
});

test('units that are not loaded have their own exit statuses', async () => {
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

test('a unit killed by a signal is restarted by its policy', async () => {
  const [abnormal, plain] = [newName(), newName()];
  const own = ['--collect', 'sleep', '30'];
  const policy = ['-p', 'Restart=on-abnormal', '-p', 'RestartSec=0.1'];
  await run('systemd-run', '--unit', abnormal, ...policy, ...own);
  await run('systemd-run', '--unit', plain, '-p', 'Restart=no', ...own);
  const pids = await Promise.all([abnormal, plain].map((name) => show(name, 'MainPID')));
  for (const [pid] of pids) process.kill(Number(pid), 'SIGKILL');
  await until('it runs again', async () => (await show(abnormal, 'NRestarts'))[0] === '1');
  await until('the other one is gone', async () => (await state(plain)) === 'inactive');
  assert.deepEqual(await show(abnormal, 'ActiveState', 'SubState', 'Result', 'Restart', 'Transient'), [
    'active',
    'running',
    'success',
    'on-abnormal',
    'yes',
  ]);
  assert.notDeepEqual(await show(abnormal, 'MainPID'), pids[0]);
  process.kill(Number((await show(abnormal, 'MainPID'))[0]), 'SIGTERM');
  await until('a clean end is one', async () => (await state(abnormal)) === 'inactive');
});

test('on-abnormal does not restart a unit that exits with an error', async () => {
  const name = newName();
  await run('systemd-run', '--unit', name, '-p', 'Restart=on-abnormal', '/bin/sh', '-c', 'exit 7');
  await until('it failed', async () => (await state(name)) === 'failed');
  assert.deepEqual(await show(name, 'NRestarts', 'Result'), ['0', 'exit-code']);
  await run('systemctl', 'reset-failed', name);
});

/** Starts a unit that is restarted after a failure, and returns its name. */
async function startRestarted(restartSec: number, ...argv: string[]): Promise<string> {
  const name = `${newName()}.service`;
  const policy = ['-p', 'Restart=on-failure', '-p', `RestartSec=${restartSec}`];
  const { status, stderr } = await run('systemd-run', '--unit', name, ...policy, ...argv);
  assert.equal(status, 0, stderr);
  return name;
}

test('a running unit is restarted', async () => {
  const name = await startRestarted(1, 'sleep', '30');
  const [pid] = await show(name, 'MainPID');
  assert.equal((await run('systemctl', 'start', name)).status, 0);
  assert.deepEqual(await show(name, 'ActiveState', 'MainPID'), ['active', pid]);
  assert.deepEqual(await run('systemctl', 'restart', name), { status: 0, stdout: '', stderr: '' });
  assert.ok(!existsSync(`/proc/${pid}`), 'the old process is gone');
  assert.deepEqual(await show(name, 'ActiveState', 'NRestarts'), ['active', '0']);
  assert.deepEqual(await run('systemctl', 'stop', name), { status: 0, stdout: '', stderr: '' });
});

test('a unit that dies is restarted until a stop', async () => {
  const name = await startRestarted(1, 'sleep', '30');
  process.kill(Number((await show(name, 'MainPID'))[0]), 'SIGKILL');
  await until('it waits', async () => (await show(name, 'SubState'))[0] === 'auto-restart');
  assert.deepEqual(await show(name, 'ActiveState', 'Result', 'MainPID', 'NRestarts'), [
    'activating',
    'signal',
    '0',
    '0',
  ]);
  assert.deepEqual(await run('systemctl', 'is-active', name), { status: 3, stdout: 'activating\n', stderr: '' });
  await until('it runs', async () => (await state(name)) === 'active');
  assert.deepEqual(await show(name, 'NRestarts', 'Result'), ['1', 'success']);
  process.kill(Number((await show(name, 'MainPID'))[0]), 'SIGKILL');
  await until('it waits', async () => (await show(name, 'SubState'))[0] === 'auto-restart');
  assert.equal((await run('systemctl', 'stop', name)).status, 0);
  assert.deepEqual(await show(name, 'ActiveState', 'SubState', 'NRestarts'), ['inactive', 'dead', '0']);
});

test('a unit that dies at every start fails for good, until reset-failed', async () => {
  const name = await startRestarted(0.02, '/bin/sh', '-c', 'exit 3');
  await until('it failed', async () => (await state(name)) === 'failed');
  assert.deepEqual(await show(name, 'Result', 'NRestarts', 'ExecMainStatus'), ['exit-code', '5', '3']);
  assert.equal((await run('systemctl', 'reset-failed', name)).status, 0);
  assert.equal(await state(name), 'inactive');
});

test('reset-failed resets the start limit', async () => {
  const name = await startRestarted(0.3, '/bin/sh', '-c', 'exit 3');
  for (let resets = 0; resets < 3; resets += 1) {
    const restarts = async () => Number((await show(name, 'NRestarts'))[0]);
    const before = await restarts();
    await until('it was restarted twice', async () => (await restarts()) >= before + 2);
    assert.equal((await run('systemctl', 'reset-failed', name)).status, 0);
  }
  assert.notEqual(await state(name), 'failed');
  assert.equal((await run('systemctl', 'stop', name)).status, 0);
});

test('start and restart fail for an unknown unit', async () => {
  const name = `${newName()}.service`;
  for (const verb of ['start', 'restart']) {
    const { status, stderr } = await run('systemctl', verb, name);
    assert.deepEqual(await run('systemctl', 'show', '-p', 'ExecStart', name), { status: 0, stdout: '', stderr: '' });
    assert.deepEqual([status, stderr], [5, `Failed to ${verb} ${name}: Unit ${name} not found.\n`]);
  }
});

test('fake only: rejects unknown flags and commands', { skip: real }, async () => {
  assert.equal((await run('systemd-run', '--pty', 'true')).status, 125);
  assert.equal((await run('systemctl', 'edit', 'x')).status, 125);
});
