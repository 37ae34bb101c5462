import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { boxIdOfRouteFile } from '../../rules/route-file.ts';

/** Traefik reads dot files too, and ignores the case of extensions. */
const isRead = /\.(ya?ml|toml)$/i;

/** Larger files are not checked: parsing YAML takes about a second for each MiB. */
const mostBytes = 64 * 1024;

/** Device number of `/dev/null`. Operators disable a file by a link to it. */
const nullDevice = 0x103n;

/** The unmanaged files that stop every reload of Traefik. A file that it cannot read, such as a broken link, counts too. */
export async function invalidFiles(directory: string): Promise<{ name: string; reason: string }[]> {
  const found: { name: string; reason: string }[] = [];
  for (const name of await unmanagedFiles(directory)) {
    const reason = await faultOf(join(directory, name));
    if (reason !== null) found.push({ name, reason });
  }
  return found;
}

/** All files that Traefik reads, in its order, except ours; `isOurs` is for names in the directory itself. */
export async function unmanagedFiles(
  directory: string,
  isOurs = (name: string) => boxIdOfRouteFile(name) !== undefined,
): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory()) {
      const inside = await unmanagedFiles(join(directory, name), () => false).catch(ignoreClosed);
      found.push(...inside.map((path) => join(name, path)));
    } else if (isRead.test(name) && !isOurs(name)) found.push(name);
  }
  return found;
}

/** Only root may read the `lost+found` of a disk, and Traefik usually runs as root. */
function ignoreClosed(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'EACCES') return [];
  throw error;
}

async function faultOf(path: string): Promise<string | null> {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const info = await file.stat({ bigint: true });
      if (info.isFIFO()) return 'it is a named pipe, and reading it never ends';
      if (info.isCharacterDevice() && info.rdev !== nullDevice) {
        return 'it is a device, and reading it may never end';
      }
      const isJudged = (info.isFile() || info.isDirectory()) && info.size <= mostBytes;
      return isJudged ? await faultOfBytes(path, await file.readFile()) : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `it cannot be read: ${code ?? message}`;
  }
}

/** Traefik reads UTF-16 with a byte-order mark, too. Loads the YAML parser only if there are unmanaged files. */
async function faultOfBytes(path: string, bytes: Buffer): Promise<string | null> {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))) return null;
  if (!isUtf8(bytes)) return 'it is not encoded in UTF-8';
  const { routeFileFault } = await import('../../rules/invalid-route-file.ts');
  return routeFileFault(path, bytes.toString('utf8'));
}
