import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isExecutable } from '../is-executable.ts';
import { type Answer, type Machine, systemctl, systemdRun } from './handler.ts';
import { afterExit, afterWait, begun, type NewUnit, type Unit } from './model.ts';
import { openUnitsFolder, type UnitsFolder } from './units-folder.ts';

/**
 * The program behind `systemd-run` and `systemctl`. There is one service manager per user, unless the launcher names
 * another folder. Each unit has a supervisor in its own session, which outlives the caller and its process group.
 */
const managerPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const stopTimeoutMs = 5000;

const [, self = '', tool = '', ...argv] = process.argv;
const folder = process.env.BOXGATE_SYSTEMD_DIR ?? `/tmp/boxgate-systemd-${process.getuid?.() ?? 0}`;
const units = openUnitsFolder(folder);

void main();

async function main(): Promise<void> {
  if (tool === 'supervise') await supervise(argv[0] ?? '', units);
  else process.exitCode = finish(await answer());
}

async function answer(): Promise<Answer> {
  units.log([tool, ...argv]);
  const fault = units.takeFault(tool, argv);
  if (fault !== null) return { status: fault.status, stderr: fault.stderr };
  const machine: Machine = {
    ...units,
    start: (unit) => start(unit, units),
    stop: (name) => stop(name, units),
    findProgram,
    callerEnvironment: process.env,
    nowMs: () => Date.now(),
  };
  return tool === 'systemctl' ? systemctl(argv, machine) : systemdRun(argv, machine);
}

function finish({ status, stdout = '', stderr = '' }: Answer): number {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return status;
}

function findProgram(name: string): string | null {
  const places = name.includes('/')
    ? [resolve(name)]
    : (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name));
  return places.find(isExecutable) ?? null;
}

/** Starts the supervisor and waits until the process runs. */
async function start(wanted: NewUnit, units: UnitsFolder): Promise<boolean> {
  const unit: Unit = {
    ...wanted,
    ...begun(),
    invocationId: randomUUID().replaceAll('-', ''),
    nRestarts: 0,
    starts: [Date.now()],
  };
  if (!units.add(unit)) return false;
  const supervisor = spawn(process.execPath, ['--no-warnings', self, 'supervise', unit.name], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { BOXGATE_SYSTEMD_DIR: units.folder, BOXGATE_MANAGER_PATH: process.env.BOXGATE_MANAGER_PATH ?? '' },
    cwd: '/',
  });
  await new Promise((resolve) => supervisor.stdout.once('data', resolve).once('end', resolve));
  supervisor.stdout.destroy();
  supervisor.unref();
  return true;
}

/** Runs the command of a unit in a clean environment, restarts it by its policy, and updates the unit at its end. */
async function supervise(name: string, units: UnitsFolder) {
  const { invocationId } = units.unit(name) ?? {};
  // The unit, or `null` if it was stopped or its name is used by a newer unit.
  const wanted = () => {
    const unit = units.unit(name);
    return unit?.invocationId === invocationId && unit?.activeState !== 'deactivating' ? unit : null;
  };
  const settle = (unit: Unit, left: Unit | null) => {
    if (left === null) units.forget(unit.name);
    else units.change(left);
    return left;
  };
  let isFirst = true;
  let unit = wanted();
  while (unit?.activeState === 'active') {
    const child = begin(unit, units.journal(name));
    if (wanted() === null) killGroup(child.pid, 'SIGKILL');
    else units.change({ ...unit, mainPid: child.pid ?? 0 });
    if (isFirst) process.stdout.write('started\n');
    isFirst = false;
    const end = await endOf(child);
    killGroup(child.pid, 'SIGKILL');
    const now = units.unit(name);
    if (now === null || now.invocationId !== invocationId) return;
    if (settle(now, afterExit(now, ...end))?.activeState !== 'activating') return;
    await pause(now.restartSecMs);
    const waited = wanted();
    unit = waited === null ? null : settle(waited, afterWait(waited, Date.now()));
  }
}

function begin(unit: Unit, journalFile: string): ChildProcess {
  const journal = openSync(journalFile, 'a', 0o600);
  const hold = join(units.folder, 'hold');
  const [program = '', ...args] = existsSync(hold) ? delayed(hold, unit.argv) : unit.argv;
  const first = process.env.BOXGATE_MANAGER_PATH ?? '';
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', journal, journal],
    cwd: unit.workingDirectory,
    env: {
      PATH: first === '' ? managerPath : `${first}:${managerPath}`,
      LANG: 'C.UTF-8',
      INVOCATION_ID: unit.invocationId,
      ...unit.environment,
    },
  });
  closeSync(journal);
  return child;
}

/** The exit of a process; status 203 if it cannot be executed. */
function endOf(child: ChildProcess): Promise<[number | null, string | null]> {
  return new Promise((resolve) => {
    child.once('exit', (status, signal) => resolve([status, signal]));
    child.once('error', () => resolve([203, null]));
  });
}

/** Delays the command until the file is removed, in the same process. */
function delayed(hold: string, argv: string[]): string[] {
  return ['/bin/sh', '-c', 'while [ -e "$0" ]; do sleep 0.02; done; exec "$@"', hold, ...argv];
}

/** Sends SIGTERM, then SIGKILL; the unit is unloaded when this resolves. */
async function stop(name: string, units: UnitsFolder) {
  const until = Date.now() + stopTimeoutMs;
  for (let unit = units.unit(name); unit !== null; unit = units.unit(name)) {
    if (unit.activeState === 'active') {
      units.change({ ...unit, activeState: 'deactivating', subState: 'stop-sigterm' });
      killGroup(unit.mainPid, 'SIGTERM');
    } else if (unit.activeState !== 'deactivating' || Date.now() > until) {
      killGroup(unit.mainPid, 'SIGKILL');
      units.forget(name);
    }
    await pause(5);
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals) {
  if (pid === undefined || pid === 0) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The process has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
