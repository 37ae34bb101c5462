import { join } from 'node:path';
import { readRegularFile } from '../../lib/files/read-file.ts';
import { onStorage } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { runCommand } from '../../lib/process/run-command.ts';
import type { UnitFiles } from '../updater-ports.ts';
import { versionsIn } from './software-folder.ts';
import { systemctl } from './systemd.ts';

const largestUnitFile = 256 * 1024;
const reloadTimeoutMs = 60_000;

/**
 * Unit files that have the bytes of a version in the folder were not edited. An owner's own settings are in drop-ins,
 * which stay.
 * @param units - names of files in the folder `deploy` of a version
 */
export function makeUnitFiles(
  softwareDir: string,
  units: readonly string[],
  unitDir = '/etc/systemd/system',
): UnitFiles {
  const read = (path: string) => {
    const found = readRegularFile(path, largestUnitFile, 'refused');
    return typeof found === 'string' ? null : found;
  };
  return {
    async bringUpTo(version) {
      await onStorage(`cannot replace the units in ${unitDir}`, async () => {
        const versions = await versionsIn(softwareDir);
        let isChanged = false;
        for (const unit of units) {
          const own = read(join(unitDir, unit));
          const next = read(join(softwareDir, version, 'deploy', unit));
          if (own === null || next === null || own.equals(next)) continue;
          const isUnedited = versions.some((known) => read(join(softwareDir, known, 'deploy', unit))?.equals(own));
          if (!isUnedited) continue;
          await writeFileAtomic(join(unitDir, unit), next, 0o644);
          isChanged = true;
        }
        if (isChanged) await runCommand([...systemctl(), 'daemon-reload'], { timeoutMs: reloadTimeoutMs });
      });
    },
  };
}

/** The unit files do not name this software folder. */
export const noUnitFiles: UnitFiles = { async bringUpTo() {} };
