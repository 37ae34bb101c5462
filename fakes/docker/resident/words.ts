import type { Given } from '../transport/run-call.ts';

export type Command = { secret: string; folder: string; given: Given };

/**
 * Parses the NUL-terminated message of a launcher: secret, folder, process id, directory, argument count, arguments,
 * variable count, variables. `null` while incomplete.
 */
export function readCommand(bytes: Buffer): Command | null {
  if (bytes.at(-1) !== 0) return null;
  const texts = bytes.toString('utf8').split('\0').slice(0, -1);
  const [secret = '', folder = '', pid = '', cwd = '', count = '', ...others] = texts;
  const argv = others.slice(0, Number(count));
  const variables = others.slice(argv.length + 1);
  const isWhole =
    argv.length === Number(count) && others.length > argv.length && variables.length === Number(others[argv.length]);
  if (!isWhole) return null;
  return { secret, folder, given: { pid: Number(pid), argv, cwd, env: environmentOf(variables) } };
}

function environmentOf(variables: readonly string[]): Record<string, string> {
  const env = new Map<string, string>();
  for (const variable of variables) {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    // The first value counts, as in getenv(3).
    if (at > 0 && !env.has(name)) env.set(name, variable.slice(at + 1));
  }
  return Object.fromEntries(env);
}

/** Output for one of the streams of the launcher. */
export function frame(kind: 1 | 2, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${kind} ${bytes.length}\n`), bytes]);
}

export const endFrame = (status: number) => `end ${status}\n`;
