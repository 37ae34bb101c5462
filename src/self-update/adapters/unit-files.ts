import { join } from 'node:path';
import { lstatIfThere, onStorage, readRegularFile } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { runCommand } from '../../lib/process/run-command.ts';
import type { UnitFiles } from '../ports.ts';
import { versionsIn } from './software-folder.ts';
import { systemctl } from './systemd.ts';

const largestUnitFile = 256 * 1024;
const reloadTimeoutMs = 60_000;
/** Services that deploy/install.sh enables; the owner enables the others. */
const enabledAtOnce = ['boxgate-console.service'];

/**
 * Installs unit files that no other version in the folder has. Unit files that have the bytes of a version in the
 * folder were not edited. An owner's own settings are in drop-ins, which stay.
 * @param units - names of files in the folder `deploy` of a version
 */
export function makeUnitFiles(
  softwareDir: string,
  units: readonly string[],
  unitDir = '/etc/systemd/system',
): UnitFiles {
  const read = (path: string) => readRegularFile(path, largestUnitFile, 'refused');
  const unitOf = (version: string, unit: string) => read(join(softwareDir, version, 'deploy', unit));
  return {
    async bringUpTo(version) {
      await onStorage(`cannot replace the units in ${unitDir}`, async () => {
        const versions = await versionsIn(softwareDir);
        const others = versions.filter((known) => known !== version);
        const isInstalled = others.length > 0 && units.some((unit) => read(join(unitDir, unit)) !== null);
        let isChanged = false;
        const added: string[] = [];
        for (const unit of units) {
          const own = read(join(unitDir, unit));
          const next = unitOf(version, unit);
          if (next === null || isSame(own, next)) continue;
          // A unit that an owner has removed is known to another version.
          const isNew =
            lstatIfThere(join(unitDir, unit)) === null && others.every((known) => unitOf(known, unit) === null);
          const isUnedited = own !== null && versions.some((known) => isSame(unitOf(known, unit), own));
          if (!isUnedited && !(isNew && isInstalled)) continue;
          await writeFileAtomic(join(unitDir, unit), next, 0o644);
          isChanged = true;
          if (isNew) added.push(unit);
        }
        if (isChanged) await runCommand([...systemctl(), 'daemon-reload'], { timeoutMs: reloadTimeoutMs });
        const enabled = added.filter((unit) => enabledAtOnce.includes(unit));
        if (enabled.length > 0) {
          await runCommand([...systemctl(), 'enable', '--now', ...enabled], { timeoutMs: reloadTimeoutMs });
        }
      });
    },
  };
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && Buffer.compare(one, other) === 0;
}
