import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Nanoseconds that all threads of a process ran, and that they waited for a processor. */
export type Scheduled = { ran: number; waited: number };

export function scheduled(pid: number): Scheduled {
  const sum = { ran: 0, waited: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { ran, waited } = scheduledThread(pid, thread);
    sum.ran += ran;
    sum.waited += waited;
  }
  return sum;
}

function scheduledThread(pid: number, thread: string): Scheduled {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran, waited };
}

export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

export type Server = {
  child: ChildProcess;
  pid: number;
  port: number;
  /** Wall time from the start to the ready line, and processor time used until then, in ms. */
  readyMs: number;
  readyCpuMs: number;
  /** The main thread waited for its core for more than a fifth of that time. */
  readyDisturbed: boolean;
  stop(): Promise<void>;
};

/**
 * Starts a server and waits for its ready line, `listening on http://HOST:PORT`. It runs on the first core, and the load
 * on the second. A server that starts programs gets both cores, like its floor.
 */
export async function startServer(argv: string[], environment: NodeJS.ProcessEnv, cores = '0'): Promise<Server> {
  const begin = performance.now();
  const child = spawn('taskset', ['-c', cores, ...argv], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = child.pid ?? 0;
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.includes('\n')) break;
  }
  const readyMs = performance.now() - begin;
  const port = Number(/^listening on http:\/\/.*:(\d+)$/m.exec(said)?.[1]);
  if (!Number.isInteger(port)) throw new Error(`${argv.join(' ')}: no ready line but ${JSON.stringify(said)}`);
  const readyCpuMs = scheduled(pid).ran / 1e6;
  // The other threads share the core of the main thread, so they always wait.
  const readyDisturbed = scheduledThread(pid, String(pid)).waited / 1e6 > readyMs / 5;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { child, pid, port, readyMs, readyCpuMs, readyDisturbed, stop };
}

/** Wall time of a command in ms. Throws if it fails. */
export async function timeCommand(argv: string[], environment: NodeJS.ProcessEnv, cwd?: string): Promise<number> {
  const [program = '', ...args] = argv;
  const begin = performance.now();
  const child = spawn(program, args, { env: environment, cwd, stdio: 'ignore' });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${argv.join(' ')}: status ${status}`);
  return performance.now() - begin;
}

/** Moves this process, which makes the load, to the second core or back to both. */
export function keepLoadOn(cores: '1' | '0,1'): void {
  execFileSync('taskset', ['-cp', cores, String(process.pid)], { stdio: 'ignore' });
}
