import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';

const real = required('BOXGATE_REAL');
const parts = join(required('BOXGATE_CI_SCRATCH'), required('BOXGATE_SUITE'));
const folder = join(real, 'self-update');
const part = join(import.meta.dirname, '..', '..', 'part');

/** Folders on a disk. */
const kept = {
  opt: '/opt',
  state: '/var/lib/boxgate',
  settings: '/etc/boxgate',
  units: '/etc/systemd/system',
  lib: '/var/lib/boxgate-test',
};

/** The PATH that systemd gives the service. It contains no Node, as on an owner's machine. */
const environment = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

export type Ran = { status: number; stdout: string; stderr: string };

function runPart(...argv: string[]): void {
  const { status, stdout, stderr } = spawnSync(part, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv[0]} ended with ${status}: ${stdout}${stderr}`);
}

/** A machine with its own systemd. The test and its release feed run outside of it. */
export const machine = {
  /** Starts the machine unless it runs. */
  async start(): Promise<void> {
    if (isRunning()) return;
    for (const name of Object.keys(kept)) mkdirSync(join(folder, name), { recursive: true });
    const carried = Object.entries(kept).map(([name, path]) => `${join(folder, name)}:${path}`);
    runPart('systemd_start', join(folder, 'systemd'), ...carried, ...programs());
    // A version that needs the Node of the machine must not find one.
    for (const program of ['node', 'npm']) {
      const path = `/usr/bin/${program}`;
      if (existsSync(path)) await machine.run(['mount', '--bind', '/dev/null', path]);
    }
  },

  /** The path in this process's file system of a file on the machine. */
  path: (path: string) => `/proc/${firstProcess()}/root${path}`,

  /** The arguments of nsenter that run a command on the machine. */
  enter: (argv: string[]) => ['-t', String(firstProcess()), '-m', '-p', '-u', '-i', '-C', '--', ...argv],

  async run(argv: string[]): Promise<Ran> {
    try {
      const ran = await promisify(execFile)('nsenter', machine.enter(argv), { env: environment, timeout: 120_000 });
      return { status: 0, ...ran };
    } catch (error) {
      const { code, stdout, stderr, message } = error as Error & { code?: unknown } & Omit<Ran, 'status'>;
      if (typeof code !== 'number') throw error;
      return { status: code, stdout, stderr: stderr === '' ? message : stderr };
    }
  },

  /** Runs a command on the machine and throws unless it succeeds. */
  async mustRun(argv: string[]): Promise<string> {
    const { status, stdout, stderr } = await machine.run(argv);
    if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  },

  async property(name: string, unit: string): Promise<string> {
    const { stdout } = await machine.run(['systemctl', 'show', '-p', name, '--value', unit]);
    return stdout.trim();
  },

  async stopUnit(unit: string): Promise<void> {
    await machine.run(['systemctl', 'stop', unit]);
    await machine.run(['systemctl', 'reset-failed', unit]);
  },
};

/** Docker's client and Compose, and the engine's socket. */
function programs(): string[] {
  return [
    real,
    `${join(parts, 'usr/bin/docker')}:/usr/local/bin/docker`,
    `${join(parts, 'usr/libexec/docker/cli-plugins/docker-compose')}:/usr/local/lib/docker/cli-plugins/docker-compose`,
    `${join(required('BOXGATE_ENGINE'), 'docker.sock')}:/run/docker.sock`,
  ];
}

function isRunning(): boolean {
  try {
    return firstProcess() > 0;
  } catch {
    return false;
  }
}

/** The process id of the machine's systemd, outside of its namespaces. */
function firstProcess(): number {
  const unshare = Number(readFileSync(join(folder, 'systemd', 'unshare.pid'), 'utf8'));
  const children = readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
  if (!/^\d+$/.test(children)) throw new Error('the machine does not run');
  return Number(children);
}

/** Waits until a unit has ended, successfully or not. */
export function ended(unit: string): Promise<void> {
  return until(`${unit} ended`, async () =>
    ['inactive', 'failed', ''].includes(await machine.property('ActiveState', unit)),
  );
}
