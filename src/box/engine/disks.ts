import { attempt, ignore } from '../../lib/ignore.ts';
import type { Project } from '../app-files/project.ts';
import { ContainersFailed, type Core, StorageFailed } from '../core.ts';
import type { ProjectModel } from '../rules/compose/project-model.ts';
import type { EngineBox } from './ports.ts';
import { type Disks, diskProblem, isWithin, isWorthRemembering } from './rules/mounts.ts';

type DiskBox = Pick<EngineBox, 'disks' | 'folders' | 'records'>;

/**
 * Why a folder that the app mounts may look empty though it is not, and what to do; `null` if its disks are there.
 * @param model - by default that of its last start
 */
export function diskProblemOf(
  box: DiskBox,
  app: string,
  model: ProjectModel | null = box.records.load().get(app)?.model ?? null,
): string | null {
  const before = rememberedOf(box, app);
  if (model === null || Object.keys(before).length === 0) return null;
  const now = box.disks.look();
  const folders = foldersOf(box, app, model);
  for (const [folder, disk] of Object.entries(before)) {
    if (!folders.some((mounted) => isWithin(folder, mounted))) continue;
    const problem = diskProblem(folder, disk, now.of(folder), now.isMountPoint(disk.at));
    if (problem !== null) return `${problem}; mount it, or if this is as it should be: boxgate box disks accept ${app}`;
  }
  return null;
}

/** Why the disks of installed apps are missing, by app. */
export function missingDisks(box: DiskBox & Pick<Core, 'apps'>): Map<string, string> {
  return new Map(
    box.apps.all('installed').flatMap(({ name }) => {
      const text = diskProblemOf(box, name);
      return text === null ? [] : [[name, text] as const];
    }),
  );
}

/** A start would let Docker make an empty folder in the place of the app's data. Throws ContainersFailed. */
export function refuseMissingDisk(box: DiskBox, { app, model }: Pick<Project, 'app' | 'model'>): void {
  const problem = diskProblemOf(box, app, model);
  if (problem !== null) throw new ContainersFailed(`it is not started: ${problem}`, false);
}

/**
 * Whether an app that was held back for a missing disk could be started now. Says so once for each time that it was held
 * back: the reconcile that follows holds it back again if it has to.
 */
export function isDiskBack(box: DiskBox & Pick<EngineBox, 'heldForDisk'>): boolean {
  if (box.heldForDisk.size === 0) return false;
  const records = box.records.load();
  // The record of a removed app is gone.
  const back = [...box.heldForDisk].filter((app) => diskProblemOf(box, app) === null);
  for (const app of back) box.heldForDisk.delete(app);
  return back.some((app) => records.has(app));
}

/** Remembers the disks of apps that run. */
export async function rememberDisks(
  box: DiskBox & Pick<Core, 'warn'>,
  running: readonly (readonly [app: string, project: Pick<Project, 'model'>])[],
): Promise<void> {
  if (running.length === 0) return;
  const now = box.disks.look();
  const disks = running.map(([app, { model }]) => {
    const directory = box.folders.path(app);
    const folders = foldersOf(box, app, model).flatMap((folder) => [folder, ...innerMounts(now, folder)]);
    const found = folders.map((folder) => [folder, now.of(folder)] as const);
    return [app, Object.fromEntries(found.filter(([, disk]) => isWorthRemembering(disk, directory)))] as const;
  });
  await box.disks
    .remember(new Map<string, Disks>(disks))
    .catch(ignore(StorageFailed, (error) => box.warn(error.message)));
}

/** An app that looks at the whole machine, such as a monitor, needs no disk of it. */
function innerMounts({ below }: ReturnType<EngineBox['disks']['look']>, folder: string): string[] {
  return folder === '/' ? [] : below(folder);
}

/** The folders of this machine that the app mounts, absolute. */
function foldersOf(box: DiskBox, app: string, { services }: ProjectModel): string[] {
  const mounts = new Set(Object.values(services).flatMap((service) => service.mounts));
  return [...mounts].map((path) => (path.startsWith('/') ? path : `${box.folders.path(app)}/${path}`)).sort();
}

/** A file that cannot be read holds up no app. */
function rememberedOf({ disks }: DiskBox, app: string): Disks {
  return attempt(
    () => disks.of(app),
    StorageFailed,
    () => ({}),
  );
}
