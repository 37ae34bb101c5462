import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRegularFile } from '../../../lib/files/storage.ts';
import { projectOfDirectory } from '../../rules/manifest/app-name.ts';

/**
 * The files that the last install of each app wrote, as digests by path, one record an app. An owner's edits are
 * recognized by comparison.
 */
type Digests = ReadonlyMap<string, string>;

const largestRecordBytes = 16 * 1024 * 1024;

export function recordPath(folder: string, name: string): string {
  return join(folder, `${recordKey(name)}.json`);
}

/**
 * The name of an app's files in the state directory, without a dot. A long or unusual name is shortened, with a digest
 * to keep it unique.
 */
export function recordKey(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(name)) return name;
  const digest = createHash('sha256').update(name).digest('hex');
  return `${projectOfDirectory(name).slice(0, 40)}~${digest.slice(0, 24)}`;
}

export function recordText(digests: Digests): string {
  return `${JSON.stringify({ files: Object.fromEntries(digests) })}\n`;
}

/** The record of an app; empty if there is no record. */
export function lastInstall(folder: string, name: string): Digests {
  const bytes = readRegularFile(recordPath(folder, name), largestRecordBytes, 'refused');
  if (bytes === null) return new Map();
  try {
    const { files } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { files: Record<string, string> };
    return new Map(Object.entries(files));
  } catch {
    return new Map(); // If the record is unreadable, every file that differs counts as edited.
  }
}

export function isSameInstall(a: Digests, b: Digests): boolean {
  return a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest);
}
