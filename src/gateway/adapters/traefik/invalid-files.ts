import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type InvalidFile = { name: string; reason: string };

/** Larger files are not judged: reading YAML takes about a second for each MiB. */
const mostBytes = 256 * 1024;

/** The number of `/dev/null`, with which operators switch a file off. */
const nullDevice = 0x103n;

/** The reason found for one version of a file. */
type Verdict = { version: string; reason: string | null };

/**
 * Looks for files in a directory, at any depth, that are not ours and stop every reload of Traefik, in the order in
 * which Traefik reads them. A file that cannot be read is one: a link to nowhere, for instance. A file is read again
 * only after it changed. `isOurs` judges the names in the directory itself.
 */
export function makeInvalidFileSearch(
  directory: string,
  isOurs: (name: string) => boolean,
): () => Promise<InvalidFile[]> {
  let known = new Map<string, Verdict>();

  return async () => {
    const seen = new Map<string, Verdict>();
    for (const name of await unmanagedFiles(directory, isOurs)) {
      seen.set(name, await judge(join(directory, name), known.get(name)));
    }
    known = seen;
    return [...seen].flatMap(([name, { reason }]) => (reason === null ? [] : [{ name, reason }]));
  };
}

/** The paths, from the directory on, of the files that Traefik reads beside ours. */
async function unmanagedFiles(directory: string, isOurs: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory()) {
      const inside = await unmanagedFiles(join(directory, name), () => false);
      found.push(...inside.map((path) => join(name, path)));
    } else if (isReadByTraefik(name) && !isOurs(name)) found.push(name);
  }
  return found;
}

/** Dot files too, and in any case. */
function isReadByTraefik(name: string): boolean {
  return /\.(ya?ml|toml)$/i.test(name);
}

async function judge(path: string, known: Verdict | undefined): Promise<Verdict> {
  try {
    // Opening a named pipe would otherwise wait until somebody writes to it.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const info = await file.stat({ bigint: true });
      const version = [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ');
      if (known?.version === version) return known;
      if (info.isFIFO()) return { version, reason: 'it is a named pipe, and reading it never ends' };
      if (info.isCharacterDevice() && info.rdev !== nullDevice) {
        return { version, reason: 'it is a device, and reading it may never end' };
      }
      const isJudged = (info.isFile() || info.isDirectory()) && info.size <= mostBytes;
      return { version, reason: isJudged ? await faultOfText(path, await file.readFile('utf8')) : null };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { version: '', reason: `it cannot be read: ${code ?? message}` };
  }
}

/** The YAML parser is loaded only where there are files of others. */
async function faultOfText(path: string, text: string): Promise<string | null> {
  const { routeFileFault } = await import('../../rules/invalid-route-file.ts');
  return routeFileFault(path, text);
}
