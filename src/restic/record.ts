import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { readTextIfThere } from '../lib/files/read-file.ts';
import { onStorage } from '../lib/files/storage.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import type { Machines } from './machines.ts';
import { ResticFailed } from './ports.ts';

const largestFileBytes = 256 * 1024;

/** What `backup.json` says: the id of each repository that was made or found, by address, and whose backups are ours. */
export type RepositoryRecord = {
  repositories: ReadonlyMap<string, string>;
  machines: Machines;
  /** The file still has the earlier host name. */
  isRenamed: boolean;
};

export function readRecord(file: string): RepositoryRecord {
  const record = parseJson(readOwn(file) ?? '{}');
  // A repository must not be made again because its record is damaged.
  if (!isJsonObject(record)) throw new ResticFailed(`${file} is damaged; restore or delete it`, 'failed');
  const { self, names } = record;
  const known = Array.isArray(names) ? names.map(String) : [];
  const present = hostname();
  return {
    isRenamed: !known.includes(present),
    repositories: new Map(Object.entries(texts(record.repositories))),
    machines: {
      self: typeof self === 'string' ? self : '',
      names: [...new Set([...known, present])],
      taken: texts(record.taken),
    },
  };
}

/** Writes the record. Gives this machine its id first. */
export async function writeRecord(file: string, { repositories, machines }: Omit<RepositoryRecord, 'isRenamed'>) {
  const self = machines.self || randomBytes(4).toString('hex');
  const text = JSON.stringify({ repositories: Object.fromEntries(repositories), ...machines, self });
  await onStorage(`cannot write ${file}`, () => writeFileAtomic(file, `${text}\n`, 0o600));
}

/** A small file of this machine; `null` if it does not exist. */
export function readOwn(file: string): string | null {
  try {
    return readTextIfThere(file, largestFileBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ResticFailed(`cannot read ${file}: ${code ?? message}`, 'failed', error);
  }
}

function texts(value: unknown): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}
