import { ignore } from '../../lib/ignore.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import type { Outcome } from '../report.ts';
import type { ImageChange } from '../rules/compose/image-changes.ts';
import type { SpaceBox } from './ports.ts';
import { dueAt, keptBecause, type ReplacedImage, withReplaced, withTag } from './rules/replaced-images.ts';

/** Notes the images that an update has replaced. A failure costs only disk space. */
export async function rememberReplaced(
  box: SpaceBox,
  app: string,
  running: readonly { imageId: string; image: string }[],
  changes: readonly ImageChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { replaced } = box.space;
  const save = async () => replaced.save(withReplaced(replaced.load(), app, running, changes, box.now()));
  await save().catch(ignore(StorageFailed, ({ message }) => box.warn(message)));
}

/** `kept`: the images that stay, each with the reason. */
type Removal = { removed: ReplacedImage[]; kept: { image: ReplacedImage; why: string }[] };

/**
 * Removes the images that updates have replaced: those that were kept long enough, or with `atOnce` all. An image that a
 * container uses, that an app names, or that has another tag stays. Asks the engine nothing if none is due.
 */
export async function removeReplacedImages(box: SpaceBox, atOnce: boolean): Promise<Removal> {
  const isDue = (image: ReplacedImage) => atOnce || dueAt(image, box.space.keepImagesDays) <= box.now();
  const result: Removal = { removed: [], kept: [] };
  if (!box.space.replaced.load().some(isDue)) return result;
  // Not beside an update: a roll-back returns to such images.
  return box.changes.run(async () => {
    const all = box.space.replaced.load();
    const due = all.filter(isDue);
    const { containers, failure } = await box.observer.look();
    if (failure !== null) throw failure;
    const used = { ids: new Set(containers.map(({ imageId }) => imageId)), references: referencesOf(box) };
    const tags = await box.space.images.tags(due.map(({ id }) => id));
    const gone = new Set(due.filter(({ id }) => !tags.has(id)));
    for (const image of due.filter(({ id }) => tags.has(id))) {
      const why = keptBecause(image, tags.get(image.id) ?? [], used) ?? (await remove(box, image));
      if (why === null) result.removed.push(image);
      else result.kept.push({ image, why });
    }
    const forgotten = new Set([...gone, ...result.removed]);
    if (forgotten.size > 0) await box.space.replaced.save(all.filter((image) => !forgotten.has(image)));
    return result;
  });
}

export async function removeReplacedNow(box: SpaceBox): Promise<Outcome> {
  try {
    const { removed, kept } = await removeReplacedImages(box, true);
    const lines = [
      ...removed.map(({ app, tags, id }) => `removed ${tags[0] ?? id} of ${app}`),
      ...kept.map(({ image: { app, tags, id }, why }) => `kept ${tags[0] ?? id} of ${app}: ${why}`),
    ];
    return { ok: true, text: lines.length === 0 ? 'there is nothing to remove' : lines.join('\n') };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return { ok: false, text: error.message };
  }
}

/** Why the engine keeps it, which is no failure: another image or a container outside of Compose may need it. */
async function remove(box: SpaceBox, { id }: ReplacedImage): Promise<string | null> {
  try {
    await box.space.images.remove(id);
    return null;
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return error.message;
  }
}

/** The images that the apps name, also those that have no container now. */
function referencesOf(box: SpaceBox): Set<string> {
  const models = [...box.records.load().values()].flatMap(({ model }) => model ?? []);
  return new Set(
    models.flatMap(({ services }) =>
      Object.values(services).flatMap(({ image }) => (image === null ? [] : withTag(image))),
    ),
  );
}
