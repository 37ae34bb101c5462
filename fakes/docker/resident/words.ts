import type { Given } from '../transport/run-call.ts';

/** A command as its launcher hands it on: the secret, the engine's folder, and what it was given. */
export type Handed = { secret: string; folder: string; given: Given };

/**
 * Reads what a launcher sent so far: texts that end with NUL, as the kernel keeps them too. They are the secret, the
 * folder, the launcher's process, its directory, how many arguments, the arguments, how many variables, the
 * variables. Null until it is whole.
 */
export function readHanded(bytes: Buffer): Handed | null {
  if (bytes.at(-1) !== 0) return null;
  const texts = bytes.toString('utf8').split('\0').slice(0, -1);
  const [secret = '', folder = '', pid = '', cwd = '', count = '', ...others] = texts;
  const argv = others.slice(0, Number(count));
  const variables = others.slice(argv.length + 1);
  const isWhole =
    argv.length === Number(count) &&
    others.length > argv.length &&
    variables.length === Number(others[argv.length]);
  if (!isWhole) return null;
  return { secret, folder, given: { pid: Number(pid), argv, cwd, env: environmentOf(variables) } };
}

function environmentOf(variables: readonly string[]): Record<string, string> {
  const env = new Map<string, string>();
  for (const variable of variables) {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    // The first one counts, as for getenv(3).
    if (at > 0 && !env.has(name)) env.set(name, variable.slice(at + 1));
  }
  return Object.fromEntries(env);
}

/** So many bytes for one of the launcher's streams, or its exit status. */
export function frame(kind: 1 | 2, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${kind} ${bytes.length}\n`), bytes]);
}

export const endFrame = (status: number) => `end ${status}\n`;
