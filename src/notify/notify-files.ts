import { unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeStateFile } from '../lib/files/state-file.ts';
import { lstatIfThere, onStorage, readRegularFile, unlessAbsent } from '../lib/files/storage.ts';
import { StorageFailed } from '../lib/files/storage-failed.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { inTurn } from '../lib/process/lock.ts';
import type { NotifyPorts } from './ports.ts';
import { parseLog } from './rules/notices.ts';
import { notifyAddressFault } from './rules/notify-request.ts';

const mostAddressBytes = 4096;
const mostLogBytes = 4 * 1024 * 1024;

/** `notify-address` and `notify.json` in the state directory, readable by root only. `setting`: that of the settings. */
export function makeNotifyFiles(
  stateDirectory: string,
  setting: string | null,
): Pick<NotifyPorts, 'address' | 'setAddress' | 'log'> {
  const folder = resolve(stateDirectory);
  const addressFile = join(folder, 'notify-address');
  const bySetting = setting === null ? null : { address: setting, isKept: false };

  return {
    address() {
      if (lstatIfThere(addressFile) === null) return bySetting;
      const bytes = readRegularFile(addressFile, mostAddressBytes, 'refused');
      const address = Buffer.from(bytes ?? [])
        .toString('utf8')
        .trim();
      const fault = notifyAddressFault(address);
      if (fault === null) return { address, isKept: true };
      throw new StorageFailed(`${addressFile}: ${fault}: set the address of the notifications again`);
    },
    setAddress: (address) =>
      onStorage(`cannot write ${addressFile}`, async () => {
        if (address !== null) await writeFileAtomic(addressFile, `${address}\n`, 0o600);
        else await unlink(addressFile).catch(unlessAbsent);
      }),
    log: {
      ...makeStateFile(join(folder, 'notify.json'), mostLogBytes, parseLog),
      inTurn: (work) => inTurn(join(folder, 'notify.lock'), work),
    },
  };
}
