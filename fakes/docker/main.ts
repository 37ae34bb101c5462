import { writeSync } from 'node:fs';
import { pauseUnless } from '../pause.ts';
import { runCall } from './transport/run-call.ts';
import { openStore, userFolder } from './transport/store.ts';

/**
 * The executable. A launcher passes the engine folder in the first arguments; otherwise the engine belongs to the user.
 */
async function main(): Promise<void> {
  const [first, second, ...others] = process.argv.slice(2);
  const named = first === '--engine-folder';
  const argv = named ? others : process.argv.slice(2);
  try {
    const store = openStore(named ? (second ?? '') : userFolder());
    const given = { pid: process.pid, argv, cwd: process.cwd(), env: process.env };
    process.exitCode = await runCall(store, given, {
      pause: pauseUnless,
      out: (text) => write(1, text),
      err: (text) => write(2, text),
      throwIfGone: () => {},
    });
  } catch (error) {
    write(2, `${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 125;
  }
}

/** Writes everything, even into a full pipe. Ignores a closed pipe. */
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
