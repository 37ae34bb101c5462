import { writeSync } from 'node:fs';
import type { Call } from './handler/call.ts';
import { runDocker } from './handler/docker.ts';
import type { Fault } from './model/state.ts';
import { openStore, type Store, userFolder } from './transport/store.ts';

/**
 * The executable: command line, environment and streams of this process on one side, the
 * engine's folder on the other. A launcher of a world names the folder in the first argument;
 * without one the engine is the user's own.
 */
async function main(): Promise<void> {
  const [first, second, ...others] = process.argv.slice(2);
  const named = first === '--engine-folder';
  const argv = named ? others : process.argv.slice(2);
  try {
    await run(openStore(named ? (second ?? '') : userFolder()), argv);
  } catch (error) {
    write(2, `${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 125;
  }
}

async function run(store: Store, argv: string[]): Promise<void> {
  const started = Date.now();
  const id = `${process.pid}-${started}`;
  const faults: string[] = [];
  store.record({ call: id, at: started, pid: process.pid, argv, cwd: process.cwd(), ...environment() });
  const status = await runDocker(makeCall(store, argv, (fault) => faults.push(fault.id)));
  store.record({ call: id, status, ms: Date.now() - started, faults });
  process.exitCode = status;
}

function makeCall(store: Store, argv: string[], struck: (fault: Fault) => void): Call {
  return {
    argv,
    cwd: process.cwd(),
    env: process.env,
    now: Date.now,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms ?? 2 ** 31 - 1)),
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    read: store.read,
    change: store.change,
    struck,
  };
}

/** What of the environment the log keeps: Docker's own variables whole, of all others the names. */
function environment(): { env: Record<string, string>; names: string[] } {
  const own = Object.entries(process.env)
    .filter(([name]) => /^(DOCKER|COMPOSE)_/.test(name))
    .map(([name, value]) => [name, /AUTH|PASSWORD|TOKEN|SECRET/.test(name) ? '(not logged)' : value]);
  return { env: Object.fromEntries(own) as Record<string, string>, names: Object.keys(process.env).sort() };
}

/** Writes all of it, also into a pipe that is full; a reader that has gone is not our trouble. */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  let from = 0;
  while (from < bytes.length) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

void main();
