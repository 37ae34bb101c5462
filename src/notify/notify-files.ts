import { unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lstatIfThere, onStorage, readRegularFile, unlessAbsent } from '../lib/files/storage.ts';
import { StorageFailed } from '../lib/files/storage-failed.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { inTurn } from '../lib/process/in-turn.ts';
import type { NotifyPorts } from './ports.ts';
import { emptyLog, type NoticeLog, parseLog } from './rules/notices.ts';
import { notifyAddressFault } from './rules/notify-request.ts';

const mostAddressBytes = 4096;
const mostLogBytes = 4 * 1024 * 1024;
const mode = 0o600;

/** `notify-address` and `notify.json` in the state directory, readable by root only. `setting`: that of the settings. */
export function makeNotifyFiles(
  stateDirectory: string,
  setting: string | null,
): Pick<NotifyPorts, 'address' | 'setAddress' | 'log'> {
  const folder = resolve(stateDirectory);
  const addressFile = join(folder, 'notify-address');
  const logFile = join(folder, 'notify.json');
  let known: { stamp: string; log: NoticeLog } | null = null;
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
        if (address !== null) await writeFileAtomic(addressFile, `${address}\n`, mode);
        else await unlink(addressFile).catch(unlessAbsent);
      }),
    log: {
      load() {
        const stats = lstatIfThere(logFile);
        if (stats === null) return emptyLog;
        const stamp = `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
        if (known?.stamp === stamp) return known.log;
        const bytes = readRegularFile(logFile, mostLogBytes, 'refused');
        known = { stamp, log: parseLog(Buffer.from(bytes ?? []).toString('utf8')) };
        return known.log;
      },
      save: (log) =>
        onStorage(`cannot write ${logFile}`, async () => {
          await writeFileAtomic(logFile, `${JSON.stringify(log)}\n`, mode);
        }),
      inTurn: (work) => inTurn(join(folder, 'notify.lock'), work),
    },
  };
}
