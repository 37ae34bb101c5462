import type { Attempt } from './attempt.ts';
import type { Plan } from './plan.ts';
import { fail } from './rules/update-failed.ts';
import type { UpdaterPorts } from './updater-ports.ts';

/**
 * The stages `downloading`, `verifying` and `staging`: afterwards the new version is complete in the software folder
 * and able to run. The running version is not touched. Throws UpdateFailed and StorageFailed.
 * choice/box/131, choice/box/139, choice/box/365
 */
export async function fetchRelease(ports: UpdaterPorts, attempt: Attempt, plan: Plan): Promise<void> {
  const { archives, product, software } = ports;
  const { to, archive } = plan;
  const { url, size, sha256, unpackedSize } = archive;

  const downloading = { stage: 'downloading', message: `downloading version ${to}` };
  await attempt.note({ ...downloading, bytes: 0, bytes_total: size, progress: 0 });
  const onBytes = (bytes: number) => attempt.noteProgress({ bytes, progress: bytes / size });
  await archives.download(url, { file: software.download, size, onBytes });

  const message = `comparing the archive of version ${to} with the one that was signed`;
  await attempt.note({ stage: 'verifying', message, bytes: size, progress: 1 });
  if ((await archives.digest(software.download)) !== sha256) {
    fail(
      'wrongDigest',
      `the archive of version ${to} is not the one that was signed: its SHA-256 differs; ` +
        'it was damaged on its way, or replaced; try again, and ask its publisher if it happens again',
    );
  }

  await attempt.note({ stage: 'staging', message: `unpacking version ${to}` });
  await archives.unpack(software.download, software.staging, unpackedSize);
  await software.checkStaged(to, product.serve);
  await software.place(to);
  await software.clear();
}
