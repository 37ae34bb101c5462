import type { Attempt } from './attempt.ts';
import { announcedRelease, type TrustedArchive } from './release-check.ts';
import { fail } from './rules/reasons.ts';
import { isNewer } from './rules/release.ts';
import type { UpdaterPorts } from './updater-ports.ts';

/** An update that passed all checks that are possible before the download. */
export type Plan = { from: string; to: string; unit: string; archive: TrustedArchive };

const mebibyte = 1024 * 1024;
/** The space left for the rest of the machine: logs, the state and files of apps. */
const marginBytes = 64 * mebibyte;

/**
 * The stage `checking`: the release, and whether this machine can take it. `null` if no version is newer. Throws
 * UpdateFailed.
 * choice/box/137, choice/box/365
 */
export async function planUpdate(ports: UpdaterPorts, attempt: Attempt): Promise<Plan | null> {
  const { version: from, platform, product, software } = ports;
  const { version: to, archive } = await announcedRelease(ports);
  if (!isNewer(to, from)) return null;
  const news = archive?.changelog ?? null;
  await attempt.note({ to, ...(news === null ? {} : { changelog: news }) });
  if (archive === null) fail('unsignedArchive', { version: to, platform });
  const current = await software.current();
  const { path: folder } = software;
  const { service } = product;
  if (current === null) fail('notInstalled', { version: from, folder, service });
  if (current !== from) fail('otherCurrent', { version: from, current, folder, service });
  const unit = await unitToRestart(ports);
  const needed = archive.size + archive.unpackedSize + marginBytes;
  const free = await software.freeBytes();
  if (free < needed) {
    const details = {
      needed: `${Math.ceil(needed / mebibyte)} MiB`,
      free: `${Math.floor(free / mebibyte)} MiB`,
    };
    fail('diskFull', { folder: software.path, ...details });
  }
  await product.admit?.(archive);
  return { from, to, unit, archive };
}

/** The unit of the running server, which starts the version that `current` names. Throws UpdateFailed. */
async function unitToRestart(ports: UpdaterPorts): Promise<string> {
  const { service } = ports.product;
  const unit = await unitOf(ports);
  if (unit === null) fail('noUnit', { service });
  const { state, command } = await ports.manager.status(unit);
  if (state !== 'active') fail('unitNotActive', { unit, state });
  const folder = ports.software.path;
  if (command !== '' && !command.includes(`${folder}/current/`)) fail('otherUnit', { unit, folder, service });
  return unit;
}

/** The unit from the settings, else the one in `running.json`. */
export async function unitOf({ unit, updateFiles }: UpdaterPorts): Promise<string | null> {
  return unit ?? (await updateFiles.readRunning())?.unit ?? null;
}
