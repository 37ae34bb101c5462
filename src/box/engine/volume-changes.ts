import type { Project } from '../app-files/project.ts';
import { keepVolumes, unnamedVolumes } from '../backup/kept-volumes.ts';
import { ContainersFailed, type Core } from '../core.ts';
import type { EngineBox } from './ports.ts';
import { type Container, ownContainers } from './rules/container.ts';
import { stopContainers } from './stop-and-start.ts';

/** A volume that was made with other options than the Compose file has now. `keptBecause`: why it cannot be made anew. */
export type VolumeChange = { name: string; users: string[]; keptBecause: string | null };

/**
 * The volumes of a project that Compose would leave as they were made. One whose data lies elsewhere can be made anew:
 * nothing is lost. Empty if Docker says nothing about volumes.
 */
export async function volumeChanges(
  box: Pick<Core, 'containers'>,
  { compose, model }: Project,
  containers: readonly Container[],
): Promise<VolumeChange[]> {
  const wanted = Object.entries(model.made ?? {});
  if (wanted.length === 0) return [];
  try {
    const found = await box.containers.volumes(
      null,
      wanted.map(([name]) => name),
    );
    const byName = new Map(found.map((one) => [one.name, one]));
    const changed = wanted.filter(([name, made]) => (byName.get(name)?.made ?? made) !== made);
    const named = new Map(containers.map((one) => [one.id, one]));
    return await Promise.all(
      changed.map(async ([name]): Promise<VolumeChange> => {
        const users = await box.containers.usersOf(name);
        const other = users.find((id) => named.get(id)?.project !== compose.project);
        const keptBecause = byName.get(name)?.isElsewhere ? inUse(name, other, named) : inDocker(name);
        return { name, users, keptBecause };
      }),
    );
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return [];
  }
}

function inUse(name: string, other: string | undefined, named: ReadonlyMap<string, Container>): string | null {
  if (other === undefined) return null;
  const user = named.get(other)?.name ?? other.slice(0, 12);
  return `its volume ${name} is not changed to the options of the Compose file, because ${user} uses it too; remove that container first`;
}

function inDocker(name: string): string {
  const way = `copy the data that \`docker volume inspect ${name}\` names, remove the app, run \`docker volume rm ${name}\`, and install the app`;
  return `its volume ${name} is not changed to the options of the Compose file, because its data would be lost; to change it, ${way}`;
}

/**
 * Removes the volumes that can be made anew or are `discarded`, and the containers that have them. The next `up` makes
 * both.
 */
export async function removeChangedVolumes(
  box: Pick<EngineBox, 'containers' | 'backup' | 'records'>,
  project: Project,
  containers: readonly Container[],
  discarded: readonly string[] = [],
): Promise<void> {
  const changes = await volumeChanges(box, project, containers);
  const remade = changes.filter(({ name, keptBecause }) => keptBecause === null || discarded.includes(name));
  const users = new Set(remade.flatMap((one) => one.users));
  const own = ownContainers(containers, project.compose.project).filter(({ id }) => users.has(id));
  const unnamed = await unnamedVolumes(box, project.app, own);
  if (unnamed.length > 0) await keepVolumes(box, project.compose.directory, unnamed);
  await stopContainers(box, own);
  await box.containers.removeContainers(own.map(({ id }) => id));
  for (const { name } of remade) await box.containers.removeVolume(name);
}
