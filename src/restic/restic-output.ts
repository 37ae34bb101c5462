import { isJsonObject, parseJson } from '../lib/json.ts';
import type { MadeSnapshot, Snapshot, SnapshotEntry } from './ports.ts';

const mostUnread = 20;

/** The summary line of `backup --json`; `null` without one. */
export function parseSummary(stdout: string, stderr: string): MadeSnapshot | null {
  const summary = objectsIn(stdout).find(({ message_type: type }) => type === 'summary');
  const { snapshot_id: id, total_bytes_processed: bytes, data_added: bytesAdded } = summary ?? {};
  if (typeof id !== 'string' || id === '') return null;
  return { id, bytes: Number(bytes ?? 0), bytesAdded: Number(bytesAdded ?? 0), unread: unreadFiles(stdout, stderr) };
}

/** The files that restic names in its errors: on standard error, newer versions also in plain lines. */
function unreadFiles(stdout: string, stderr: string): string[] {
  const errors = objectsIn(`${stdout}\n${stderr}`).filter(({ message_type: type }) => type === 'error');
  const named = errors.map(({ item }) => item).filter((item) => typeof item === 'string');
  return [...new Set(named)].slice(0, mostUnread);
}

/** The list of `snapshots --json`, the oldest first; `null` in another form. */
export function parseSnapshots(stdout: string): Omit<Snapshot, 'isOwn'>[] | null {
  const list = stdout.trim() === '' ? [] : parseJson(stdout);
  if (list === null) return [];
  if (!Array.isArray(list)) return null;
  const snapshots = list.filter(isJsonObject).flatMap(({ id, time, tags, paths, original, hostname }) => {
    if (typeof id !== 'string' || typeof time !== 'string') return [];
    const known = { id, shortId: id.slice(0, 8), time: new Date(time), tags: texts(tags), paths: texts(paths) };
    return [{ ...known, original: typeof original === 'string' ? original : null, host: String(hostname ?? '') }];
  });
  return snapshots.sort((a, b) => a.time.getTime() - b.time.getTime());
}

const kinds: Readonly<Record<string, SnapshotEntry['kind']>> = { dir: 'folder', file: 'file', symlink: 'link' };

/** A line of `ls --json` about a file or folder; `null` for another line. */
export function parseEntry(line: string): (SnapshotEntry & { path: string }) | null {
  const entry = parseJson(line);
  if (!isJsonObject(entry)) return null;
  const { name, path, type, size, mtime } = entry;
  if (typeof name !== 'string' || typeof path !== 'string') return null;
  const bytes = typeof size === 'number' ? size : 0;
  return { name, path, kind: kinds[String(type)] ?? 'other', bytes, changedAt: new Date(String(mtime)) };
}

/** The id of a repository in the answer of `cat config`; `null` without one. */
export function parseRepositoryId(stdout: string): string | null {
  const config = parseJson(stdout);
  return isJsonObject(config) && typeof config.id === 'string' ? config.id : null;
}

/** Characters that a pattern of restic gives a meaning to are escaped. */
export function asPattern(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, '\\$&');
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function objectsIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parseJson)
    .filter(isJsonObject);
}
