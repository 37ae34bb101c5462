import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const launcher = join(import.meta.dirname, '../../cli/boxgate.cjs');

export type Program = {
  child: ChildProcess;
  /** Everything that the program has written so far. */
  said: { out: string; err: string };
  /** Settles after the program's last output. */
  ended: Promise<[status: number | null, signal: NodeJS.Signals | null]>;
};

/** Starts a program with exactly these environment variables. */
export function startProgram([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes) => {
    said.out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    said.err += bytes;
  });
  return { child, said, ended: once(child, 'close') as Program['ended'] };
}

/** Starts a command of boxgate with exactly these environment variables. */
export function startBoxgate(words: readonly string[], env: NodeJS.ProcessEnv): Program {
  return startProgram([process.execPath, launcher, ...words], env);
}

export async function runBoxgate(words: readonly string[], env: NodeJS.ProcessEnv) {
  const { said, ended } = startBoxgate(words, env);
  const [status, signal] = await ended;
  return { status, signal, ...said };
}

/** The address in the ready line of a server; `null` if the server ends without one. */
export async function readyAddress({ child, said, ended }: Program): Promise<string | null> {
  let hasEnded = false;
  const end = ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const address = /^listening on (\S+)\n/.exec(said.out)?.[1];
    if (address !== undefined || hasEnded) return address ?? null;
    await Promise.race([once(child.stdout ?? child, 'data'), end]);
  }
}

export type ServingProgram = Program & { address: string; stop(): Promise<void> };

/** Starts a server of boxgate and waits until it is ready. Throws its output if it ends before. */
export async function serveBoxgate(words: readonly string[], env: NodeJS.ProcessEnv): Promise<ServingProgram> {
  const program = startBoxgate([...words, '--port', '0'], env);
  const address = await readyAddress(program);
  if (address === null) throw new Error(program.said.err);
  return {
    ...program,
    address,
    async stop() {
      program.child.kill('SIGTERM');
      await program.ended;
    },
  };
}
