import type { Attempt } from './attempt.ts';
import type { Plan } from './plan.ts';
import { fail } from './rules/reasons.ts';
import type { UpdaterPorts } from './updater-ports.ts';

/**
 * The stages `downloading`, `verifying` and `staging`: afterwards the new version is among the versions, whole and able
 * to run. The running version is not touched. Throws UpdateFailed and StorageFailed.
 * choice/box/131, choice/box/139, choice/box/368
 */
export async function fetchRelease(ports: UpdaterPorts, attempt: Attempt, plan: Plan): Promise<void> {
  await download(ports, attempt, plan);
  await verify(ports, attempt, plan);
  await stage(ports, attempt, plan);
}

async function download({ archives, software }: UpdaterPorts, attempt: Attempt, { to, archive }: Plan) {
  const { url, size } = archive;
  await attempt.note({
    stage: 'downloading',
    message: `downloading version ${to}`,
    bytes: 0,
    bytes_total: size,
    progress: 0,
  });
  await archives.download(url, software.download, size, (bytes) =>
    attempt.noteProgress({ bytes, progress: Math.min(bytes / size, 1) }),
  );
}

async function verify({ archives, software }: UpdaterPorts, attempt: Attempt, { to, archive }: Plan) {
  const message = `comparing the archive of version ${to} with the one that was signed`;
  await attempt.note({ stage: 'verifying', message, bytes: archive.size, progress: 1 });
  if ((await archives.digest(software.download)) !== archive.sha256) fail('wrongDigest', { version: to });
}

async function stage({ archives, product, software }: UpdaterPorts, attempt: Attempt, { to, archive }: Plan) {
  await attempt.note({ stage: 'staging', message: `unpacking version ${to}` });
  await archives.unpack(software.download, software.staging, archive.unpackedSize);
  await software.checkStaged(to, product.serve);
  await software.place(to);
  await software.clear();
}
