import { join, resolve } from 'node:path';
import { lstatIfThere, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import type { BackupRunsFile } from '../ports.ts';
import { atPlace, type BackupRuns, noRuns, parseRuns } from '../rules/backup-runs.ts';

const largestFileBytes = 16 * 1024 * 1024;

/**
 * `backup-runs.json`. Its content is parsed again only if another process has written it.
 * @param place - the present one of the backups, without a password
 */
export function makeBackupRuns(stateDirectory: string, place: string): BackupRunsFile {
  const file = join(resolve(stateDirectory), 'backup-runs.json');
  const none = atPlace(noRuns, place);
  let known: { stamp: string; runs: BackupRuns } | null = null;

  const load = (): BackupRuns => {
    const stats = lstatIfThere(file);
    if (stats === null) return none;
    const stamp = `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
    if (known?.stamp === stamp) return known.runs;
    const bytes = readRegularFile(file, largestFileBytes, 'refused');
    known = { stamp, runs: atPlace(parseRuns(Buffer.from(bytes ?? []).toString('utf8')), place) };
    return known.runs;
  };

  return {
    load,
    change: (change) =>
      onStorage(`cannot write ${file}`, async () => {
        await writeFileAtomic(file, `${JSON.stringify(change(load()))}\n`, 0o600);
      }),
  };
}
