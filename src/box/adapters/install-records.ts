import { join } from 'node:path';
import { readRegularFile } from './storage.ts';

/**
 * What the last install of each app put there: digests by path, a file an app. By it an owner's edits are known from
 * the files of the bundle.
 */
type Digests = ReadonlyMap<string, string>;

const largestRecordBytes = 16 * 1024 * 1024;

export function recordPath(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

export function recordText(digests: Digests): string {
  return `${JSON.stringify({ files: Object.fromEntries(digests) })}\n`;
}

/** The record of an app; empty where there is none. */
export function lastInstall(folder: string, name: string): Digests {
  const bytes = readRegularFile(recordPath(folder, name), largestRecordBytes, 'refused');
  if (bytes === null) return new Map();
  try {
    const { files } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { files: Record<string, string> };
    return new Map(Object.entries(files));
  } catch {
    return new Map(); // A damaged record is none: every file that differs then counts as edited.
  }
}

export function isSameInstall(a: Digests, b: Digests): boolean {
  return a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest);
}
