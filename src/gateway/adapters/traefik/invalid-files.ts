import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type InvalidFile = { name: string; reason: string };

/** Larger files are not checked: parsing YAML takes about a second for each MiB. */
const mostBytes = 256 * 1024;

/** Device number of `/dev/null`. Operators disable a file by a link to it. */
const nullDevice = 0x103n;

/** The result of checking one version of a file; `null` if the file is valid. */
type Verdict = { version: string; reason: string | null };

/**
 * Searches a directory and its sub-directories for unmanaged files that stop every reload of Traefik, in Traefik's
 * reading order. A file that Traefik cannot read, such as a broken link, counts too. A file is read again only after
 * a change.
 * @param isOurs - whether a name in the directory itself is a route file of the gateway
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

/** Paths, relative to the directory, of all files that Traefik reads except our own. */
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

/** Traefik reads dot files too, and ignores the case of extensions. */
function isReadByTraefik(name: string): boolean {
  return /\.(ya?ml|toml)$/i.test(name);
}

async function judge(path: string, known: Verdict | undefined): Promise<Verdict> {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
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

/** Loads the YAML parser only if there are unmanaged files. */
async function faultOfText(path: string, text: string): Promise<string | null> {
  const { routeFileFault } = await import('../../rules/invalid-route-file.ts');
  return routeFileFault(path, text);
}
