import { join, resolve } from 'node:path';
import { onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import type { VersionPorts } from '../ports.ts';
import { type KnownVersions, parseKnown } from '../rules/known-versions.ts';

const largestFileBytes = 4 * 1024 * 1024;

/** `newer-versions.json`, read each time: another process may have written it. */
export function makeKnownVersions(stateDirectory: string): VersionPorts['known'] {
  const file = join(resolve(stateDirectory), 'newer-versions.json');
  const load = (): KnownVersions =>
    parseKnown(Buffer.from(readRegularFile(file, largestFileBytes, 'refused') ?? []).toString('utf8'));
  return {
    load,
    change: (change) =>
      onStorage(`cannot write ${file}`, async () => {
        await writeFileAtomic(file, `${JSON.stringify(change(load()))}\n`, 0o600);
      }),
  };
}
