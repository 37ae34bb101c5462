import { ignore } from '../../lib/ignore.ts';
import { type AppRecord, ContainersFailed, type Core } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import { allContainers } from './observer.ts';
import type { EngineBox } from './ports.ts';
import type { Container } from './rules/container.ts';

/**
 * The containers that Compose made in each app's folder, without one-off ones. One whose folder no longer exists, as
 * after a move of all apps, is matched by its project.
 */
export function containersByApp(
  box: Pick<Core, 'folders'>,
  containers: readonly Container[],
  apps: readonly KnownApp[],
  records: ReadonlyMap<string, AppRecord>,
): Map<string, Container[]> {
  const lasting = containers.filter(({ oneOff }) => !oneOff);
  const byFolder = Map.groupBy(lasting, ({ workingDirectory }) => workingDirectory);
  const found = new Map<string, Container[]>();
  for (const { name } of apps) {
    const path = box.folders.path(name);
    const own = byFolder.get(path);
    if (own !== undefined) found.set(name, own);
    byFolder.delete(path);
  }
  const lost = [...byFolder].filter(([path]) => !box.folders.isDirectory(path)).flatMap(([, ones]) => ones);
  if (lost.length === 0) return found;
  for (const { name } of apps) {
    if (found.has(name)) continue;
    const project = records.get(name)?.model?.name ?? projectOfDirectory(name);
    const own = lost.filter((container) => container.project === project);
    if (own.length > 0) found.set(name, own);
  }
  return found;
}

/** The containers of an app now. Throws ContainersFailed if they are unknown. */
export async function containersOf(box: EngineBox, name: string): Promise<Container[]> {
  const containers = await allContainers(box);
  return containersByApp(box, containers, box.apps.all('installed'), box.records.load()).get(name) ?? [];
}

export async function containersNow(
  box: EngineBox,
  name: string,
): Promise<{ containers: Container[]; problem: string | null }> {
  return containersOf(box, name).then(
    (containers) => ({ containers, problem: null }),
    ignore(ContainersFailed, ({ message }) => ({ containers: [], problem: message })),
  );
}
