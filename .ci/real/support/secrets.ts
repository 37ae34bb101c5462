import { readFileSync } from 'node:fs';
import { processTree } from './processes.ts';

/** Secrets by name. A failed test shows only the names. */
export type Secrets = ReadonlyMap<string, string>;

/**
 * The names of the secrets that a text contains, in clear or in a reversible encoding: base64, hexadecimal, or escaped
 * for a URL, JSON or a shell.
 */
export function secretsIn(bytes: Buffer | string, secrets: Secrets): string[] {
  return [...secrets]
    .filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)))
    .map(([name]) => name);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll("'", "'\\''"),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((before) => [insideBase64(bytes, before), toUrl(insideBase64(bytes, before))]),
  ];
}

/**
 * The base64 characters that depend only on the secret, if the secret begins `before` bytes after the start of a
 * group.
 */
function insideBase64(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .replaceAll('=', '');
  const ends = (before + secret.length) % 3 === 0 ? text.length : text.length - 1;
  return text.slice(before === 0 ? 0 : before + 1, ends);
}

function toUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Arguments and variables of a test's processes, collected while they run. */
export type Watched = { stop: () => Map<string, string> };

/** Polls the arguments of every process below this one, and the variables of those below `pid()`. */
export function watchProcesses(pid: () => number | undefined): Watched {
  const seen = new Map<string, string>();
  const look = () => {
    const own = pid();
    for (const each of processTree(process.pid)) note(seen, `/proc/${each}/cmdline`);
    // A server gets its own secrets in variables. Its children must not have them.
    for (const each of own === undefined ? [] : processTree(own).slice(1)) note(seen, `/proc/${each}/environ`);
  };
  const timer = setInterval(look, 50);
  look();
  return {
    stop() {
      look();
      clearInterval(timer);
      return seen;
    },
  };
}

function note(seen: Map<string, string>, path: string): void {
  try {
    const text = readFileSync(path, 'latin1');
    if (text !== '') seen.set(`${path} ${text.length} ${text.slice(0, 40)}`, text);
  } catch {
    // The process ended in between.
  }
}
