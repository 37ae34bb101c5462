import type { AppsBox } from '../apps/ports.ts';
import { factsOf, fillBeside, findSnapshot, planFolders } from '../backup/fill-folders.ts';
import { keepVolumes, unnamedVolumes } from '../backup/kept-volumes.ts';
import type { AppFacts, LeftOut } from '../backup/rules/app-facts.ts';
import { carryOut, containersFrom, tagAgain } from './carry-out.ts';
import type { FormerImage } from './rules/journal.ts';

/**
 * Leaves an app stopped whose data could not be put back, so that the old version does not start with data that the new
 * one has changed. A restore or a change of this app ends that. Returns what to say about it.
 */
export async function holdBack(
  box: AppsBox,
  { app, snapshot, images = [] }: { app: string; snapshot: string; images?: readonly FormerImage[] },
  why: string,
): Promise<string> {
  const way = `run boxgate box backup restore ${app} ${snapshot.slice(0, 8)}; to go on with the data as it is, start it`;
  const held = `the data of before a failed update could not be put back (${why}), so the app stays stopped; ${way}`;
  const records = box.records.load();
  const record = records.get(app);
  if (record !== undefined) await box.records.save(records.set(app, { ...record, failure: held, held }));
  const own = await containersFrom(box, app);
  await keepVolumes(box, box.folders.path(app), await unnamedVolumes(box, app, own));
  await box.containers.removeContainers(own.map(({ id }) => id));
  for (const image of images) await tagAgain(box, image);
  await box.backup.files.writeJournal(null);
  await box.observer.look();
  return held;
}

/**
 * Puts the data of a snapshot back after a failed update. The caller starts the app.
 * @param known - the facts of the snapshot; read from it if left out
 * @returns the places that the new version may have changed and that stay as they are
 */
export async function putBack(
  box: AppsBox,
  { app, snapshot: id, images }: { app: string; snapshot: string; images: FormerImage[] },
  known?: AppFacts,
): Promise<LeftOut[]> {
  const facts = known ?? (await factsOf(box, (await findSnapshot(box, id)).snapshot));
  const { folders, fixed } = await planFolders(box, facts, null);
  await fillBeside(box, id, folders);
  const own = box.folders.path(app);
  await keepVolumes(box, folders.find(({ target }) => target === own)?.staged ?? own, facts.volumes);
  await carryOut(box, { app, operation: 'restore', folders, images }, [facts.project]);
  return [...fixed, ...facts.leftOut.filter(({ isReadOnly }) => !isReadOnly)];
}
