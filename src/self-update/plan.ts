import type { Attempt } from './attempt.ts';
import type { UpdaterPorts } from './ports.ts';
import { announcedRelease, type TrustedArchive } from './release-check.ts';
import { isNewer } from './rules/release.ts';
import { fail, settingOf } from './rules/update-failed.ts';

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
  if (archive === null) {
    fail(
      `version ${to} is announced without a signed statement for ${platform}, so nothing vouches for it and it is ` +
        'not installed; a feed made by npm run release has one',
    );
  }
  const current = await software.current();
  const { path: folder } = software;
  const { service } = product;
  if (current === null) {
    fail(
      `${folder}/current is not a link to version ${from}, which runs: this ${service} was not installed by ` +
        'install.sh; update a container or a checkout the way it was installed, or install boxgate from its archive',
    );
  }
  if (current !== from) {
    fail(
      `${folder}/current leads to version ${current}, but version ${from} runs; ` +
        `restart the ${service} (systemctl restart boxgate-${service}) and try again`,
    );
  }
  const unit = await unitToRestart(ports);
  const needed = archive.size + archive.unpackedSize + marginBytes;
  const free = await software.freeBytes();
  if (free < needed) {
    const [wanted, found] = [Math.ceil(needed / mebibyte), Math.floor(free / mebibyte)];
    const text = `the update needs ${wanted} MiB of free space in ${folder}, which has ${found} MiB`;
    fail(`${text}; make room and try again`);
  }
  await product.admit?.(archive);
  return { from, to, unit, archive };
}

/** The unit of the running server, which starts the version that `current` names. Throws UpdateFailed. */
async function unitToRestart(ports: UpdaterPorts): Promise<string> {
  const { service } = ports.product;
  const unit = await unitOf(ports);
  if (unit === null) {
    fail(
      `the ${service} does not run as a service of systemd, so an update cannot restart it; ` +
        `name its unit in ${settingOf(service, 'UNIT')} (or --unit)`,
    );
  }
  const { state, command } = await ports.manager.status(unit);
  if (state !== 'active') {
    const found = `the unit ${unit}, which an update has to restart, is ${state} instead of active`;
    fail(`${found}; systemctl status ${unit} says more`);
  }
  const folder = ports.software.path;
  if (command !== '' && !command.includes(`${folder}/current/`)) {
    fail(
      `the unit ${unit} does not start ${folder}/current, so it would not start a new version; ` +
        `compare ExecStart= of the unit with ${settingOf(service, 'SOFTWARE_DIR')}`,
    );
  }
  return unit;
}

export async function unitOf({ unit, updateFiles }: UpdaterPorts): Promise<string | null> {
  return unit ?? (await updateFiles.readRunning())?.unit ?? null;
}
