import { ignore } from '../../lib/ignore.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { titlesOf } from '../app-files/catalogue.ts';
import { ContainersFailed } from '../core.ts';
import { containersByApp } from '../engine/containers-by-app.ts';
import { missingDisks } from '../engine/disks.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import type { SpaceBox } from './ports.ts';
import { isLow } from './rules/disk-space.ts';
import type { EngineUsage, UsedImage, UsedVolume } from './rules/engine-usage.ts';
import { dueAt } from './rules/replaced-images.ts';

/** What takes the disk space. Sizes are in bytes; `null` for one that could not be counted in time. */
export type SpaceReport = Awaited<ReturnType<typeof showSpace>>;

/**
 * Counts everything, which may take minutes on a slow disk: only for somebody who asks. What cannot be counted within
 * `limitMs` is left out.
 */
export async function showSpace(box: SpaceBox, limitMs: number) {
  const signal = AbortSignal.timeout(limitMs);
  const bytesOf = (path: string) => box.space.folderBytes(path, signal);
  const { usage, problem } = await usageOf(box, signal);
  const installed = box.apps.all('installed');
  const { containers } = await box.observer.look();
  const records = box.records.load();
  const own = containersByApp(box, containers, installed, records);
  const volumes = Map.groupBy(usage.volumes, ({ project }) => project);
  const images = new Map(usage.images.map((image) => [image.id, image]));
  const usedImages = new Set<UsedImage>();
  const titles = titlesOf(box);
  const apps = await mapConcurrently(installed, 2, async ({ name }) => {
    const project = records.get(name)?.model?.name ?? projectOfDirectory(name);
    const ids = new Set((own.get(name) ?? []).map(({ imageId }) => imageId));
    const used = [...ids].flatMap((id) => images.get(id) ?? []);
    for (const image of used) usedImages.add(image);
    const ofApp = volumes.get(project) ?? [];
    volumes.delete(project);
    return {
      name,
      title: titles.get(name) ?? name,
      folder: await bytesOf(box.folders.path(name)),
      /** Whole: apps may share layers of them. */
      images: sum(used),
      volumes: ofApp.map(sized),
    };
  });
  const { shownAddress: address } = box.backup.repository;
  return {
    disks: (await box.space.disks()).map((disk) => ({ ...disk, isLow: isLow(disk) })),
    apps,
    /** Volumes that belong to no installed app. The box never removes a volume. */
    otherVolumes: [...volumes.values()].flat().map(sized),
    otherImages: sum(usage.images.filter((image) => !usedImages.has(image))),
    /** Apps that are not started, because a disk is missing. */
    held: [...missingDisks(box)].map(([name, why]) => ({ name, problem: why })),
    trash: await trashBytes(box, bytesOf),
    /** `bytes` is `null` also for backups on another machine. */
    backups: { address, bytes: await backupBytes(box, bytesOf) },
    replaced: replacedOf(box, images),
    /** Why the sizes of images and volumes are missing; `null` if they are there. */
    problem,
  };
}

async function usageOf(box: SpaceBox, signal: AbortSignal): Promise<{ usage: EngineUsage; problem: string | null }> {
  return box.space.engineUsage(signal).then(
    (usage) => ({ usage, problem: null }),
    ignore(ContainersFailed, (error) => ({ usage: { images: [], volumes: [] }, problem: reasonOf(error, signal) })),
  );
}

/** In words for the owner: what a tool prints who does not know the command helps nobody. */
function reasonOf({ message, unreachable }: ContainersFailed, { aborted }: AbortSignal): string {
  if (aborted) return 'Docker counts for longer than boxgate waits. Try again in some minutes';
  if (unreachable) return message;
  return 'Docker does not say how large they are. Started on the box, docker system df -v says why';
}

/** `null` if a folder could not be counted. */
async function trashBytes(box: SpaceBox, bytesOf: (path: string) => Promise<number | null>): Promise<number | null> {
  const sizes = await Promise.all(box.space.trash.filter((path) => box.folders.isDirectory(path)).map(bytesOf));
  return sizes.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}

/** The folder is made by the first backup. */
async function backupBytes({ space, folders }: SpaceBox, bytesOf: (path: string) => Promise<number | null>) {
  const folder = space.backups();
  if (folder === null) return null;
  return folders.isDirectory(folder) ? bytesOf(folder) : 0;
}

/** `bytes` are those that the removal of an image frees. */
function replacedOf(box: SpaceBox, images: ReadonlyMap<string, UsedImage>) {
  return box.space.replaced.load().flatMap((image) => {
    const found = images.get(image.id);
    if (found === undefined) return [];
    const goesAt = dueAt(image, box.space.keepImagesDays).toISOString();
    return [{ app: image.app, tag: image.tags[0] ?? image.id, bytes: found.own, goesAt }];
  });
}

function sum(images: readonly UsedImage[]): number {
  return images.reduce((all, { bytes }) => all + bytes, 0);
}

function sized({ name, bytes }: UsedVolume): { name: string; bytes: number } {
  return { name, bytes };
}
