import { ignore } from '../../lib/ignore.ts';
import type { AppsBox } from '../apps/ports.ts';
import { howExchanged } from '../backup/rules/places.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { lookAtContainers } from '../engine/observer.ts';
import { type Container, hasDoneItsWork } from '../engine/rules/container.ts';
import type { ChangeJournal, FormerImage, ReplacedFolder } from './rules/journal.ts';

/**
 * Exchanges folders whose new content is complete, and gives images the tags that they had. Writes the journal that says
 * so before it begins, and closes it. Can be repeated after a crash.
 * @param projects - whose containers hold the folders, beside those that were made from the app's folder
 */
export async function carryOut(
  box: AppsBox,
  change: Omit<ChangeJournal, 'way'>,
  projects: readonly string[] = [],
): Promise<void> {
  const { app, folders = [], images = [], toTrash = false } = change;
  const { files } = box.backup;
  refuseAway(box, folders);
  await files.writeJournal({ ...change, way: 'forth' });
  // Also after a power cut, as the engine may have started them again. Jobs that have done their work hold no folder.
  const own = (await containersFrom(box, app, projects)).filter((one) => !one.oneOff && !hasDoneItsWork(one));
  await box.containers.removeContainers(own.map(({ id }) => id));
  const directory = folders.find(({ target }) => target === box.folders.path(app));
  if (toTrash && directory !== undefined && files.isThere(directory.staged) && files.isThere(directory.target))
    await box.trash.put(app);
  await files.swap(folders);
  await forgetRecord(box, app);
  for (const image of images) await tagAgain(box, image);
  await files.discard(folders);
  await files.writeJournal(null);
}

/** The empty mount point of a disk that is away looks like one whose content was exchanged, or was never prepared. */
export function refuseAway({ disks }: AppsBox, folders: readonly ReplacedFolder[]): void {
  const paths = disks.look();
  const isAway = (one: ReplacedFolder) => one.isMountPoint && !howExchanged(one.target, true, paths).isMountPoint;
  const away = folders.find(isAway);
  if (away === undefined) return;
  const advice = 'mount the disk that was there, or another one to go on without';
  throw new StorageFailed(`nothing is mounted at ${away.target}: ${advice}`);
}

/** The containers that were made from an app's folder, and those of projects. */
export async function containersFrom(
  box: AppsBox,
  app: string,
  projects: readonly string[] = [],
): Promise<Container[]> {
  const directory = box.folders.path(app);
  return (await lookAtContainers(box)).filter(
    ({ workingDirectory, project }) => workingDirectory === directory || projects.includes(project),
  );
}

/** A full disk does not keep the app from its start: the next reconcile compares a record that stays. */
async function forgetRecord(box: AppsBox, app: string): Promise<void> {
  const records = box.records.load();
  if (!records.delete(app)) return;
  await box.records.save(records).catch(ignore(StorageFailed, ({ message }) => box.warn(message)));
}

/** Writes a warning if Docker has refused something; throws any other error again. */
export function warnOfAnswer(box: AppsBox, error: unknown, begin = ''): void {
  if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
  box.warn(`${begin}${error.message}`);
}

/** An image that is gone is pulled by the next start, by its tag. */
export async function tagAgain(box: AppsBox, { from, tag }: FormerImage): Promise<void> {
  await box.containers.tag(from, tag).catch((error: unknown) => {
    warnOfAnswer(box, error, `${tag} is not the image of before: `);
  });
}
