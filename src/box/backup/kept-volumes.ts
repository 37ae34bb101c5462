import type { AppsBox } from '../apps/ports.ts';
import { type Containers, ContainersFailed } from '../core.ts';
import { allContainers } from '../engine/observer.ts';
import type { Container } from '../engine/rules/container.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import type { SavedVolume } from './rules/app-facts.ts';
import {
  fittingVolumes,
  type KeptVolume,
  keptVolumes,
  keptVolumesFile,
  keptVolumesText,
} from './rules/kept-volumes.ts';
import { isOneOfSeveral, mountedVolumes, placesOfUnnamed } from './rules/places.ts';

/**
 * Compose gives a new container the volumes without a name of the container that it replaces. After the containers of an
 * app were removed, its next `up` gets them from a file in the app's directory, which goes with the app into the trash,
 * into a restored directory and back. What the app's Compose files have no place for any more is left out.
 */
export function withKeptVolumes(containers: Containers, keptFiles: AppsBox['backup']['files']): Containers {
  return {
    ...containers,
    up: async (project, services, options) => {
      const { directory } = project;
      const text = await keptFiles.readKept(directory);
      if (text === null) return containers.up(project, services, options);
      const { config } = await containers.config(project, project.project);
      const kept = fittingVolumes(keptVolumes(text), config);
      const isSame = keptVolumesText(kept) === text;
      if (!isSame) await keptFiles.writeKept(directory, keptVolumesText(kept));
      const files = [...project.files, `${directory}/${keptVolumesFile}`];
      try {
        await containers.up({ ...project, files }, services, options);
      } catch (error) {
        // An earlier version of the app, to which it may go back, has a place for all.
        if (!isSame) await keptFiles.writeKept(directory, text);
        throw error;
      }
      const isUp = kept.every(({ at }) => at.every(({ service }) => services?.includes(service) ?? true));
      if (isUp) await keptFiles.writeKept(directory, null);
    },
  };
}

/** What an app's containers mount, and what its next ones will. */
export async function holdersOf(
  { backup, containers: engine }: AppsBox,
  directory: string,
  containers: readonly Container[],
) {
  const kept = keptVolumes((await backup.files.readKept(directory)) ?? '');
  const names = kept.map(({ name }) => name);
  // Docker removes volumes that no container has, if somebody asks it to.
  const here = await engine.volumes(null, names);
  const later = kept
    .filter(({ name }) => here.some((one) => one.name === name))
    .flatMap(({ name, at }) => {
      const waiting = at.filter(({ service }) => containers.every((one) => one.service !== service));
      return waiting.map(({ service, target }) => ({
        service,
        mounts: [{ type: 'volume', name, source: '', target, isWritable: true }],
      }));
    });
  return [...containers, ...later];
}

/** The volumes of an app's containers that no Compose file declares. */
export async function unnamedVolumes(
  box: Pick<AppsBox, 'containers' | 'records'>,
  app: string,
  all: readonly Container[],
): Promise<KeptVolume[]> {
  const containers = all.filter(({ oneOff }) => !oneOff);
  const names = mountedVolumes(containers);
  if (names.length === 0) return [];
  const declared = box.records.load().get(app)?.model?.volumes;
  const inspected = await box.containers.volumes(null, names);
  return inspected
    .map((volume) => ({ name: volume.name, at: placesOfUnnamed(volume, { containers, declared }) }))
    .filter(({ at }) => !isOneOfSeveral(at, containers));
}

/** Notes in an app's directory which volumes without a name its next containers get. */
export async function keepVolumes(
  { backup: { files } }: Pick<AppsBox, 'backup'>,
  directory: string,
  volumes: readonly Pick<SavedVolume, 'name' | 'at'>[],
): Promise<void> {
  const unnamed = volumes.flatMap(({ name, at = [] }) => (at.length > 0 ? [{ name, at }] : []));
  await files.writeKept(directory, unnamed.length === 0 ? null : keptVolumesText(unnamed));
}

type Own = { project: string; directory: string };

/** The containers of other projects that have this volume. */
export function usersOf(volume: string, containers: readonly Container[], { project, directory }: Own): Container[] {
  return containers.filter((one) => {
    const isOwn = one.project === project || one.workingDirectory === directory;
    return !isOwn && one.mounts.some(({ type, name }) => type === 'volume' && name === volume);
  });
}

/**
 * Refuses to exchange the data of a volume while a running container of another project uses it. A stopped one counts
 * if the volume has no name, unless `isOwn`: only its containers show whose such a volume is.
 * @param isOwn - the volumes were seen in the app's own containers
 */
export async function refuseUsedVolumes(
  box: AppsBox,
  app: Own & { volumes: readonly { name: string; at?: unknown }[] },
  isOwn: boolean,
): Promise<void> {
  if (app.volumes.length === 0) return;
  const containers = await allContainers(box);
  for (const { name, at } of app.volumes) {
    const users = usersOf(name, containers, app);
    const running = users.filter(isActive);
    const stopped = at === undefined || isOwn ? [] : users;
    const [way, named] =
      running.length > 0 ? ['stop it first: docker stop', running] : ['remove it first: docker rm', stopped];
    if (named.length === 0) continue;
    const text = `the volume ${name} is also used by a container of another project; ${way}`;
    throw new ContainersFailed(`${text} ${named.map((one) => one.name).join(' ')}`, false);
  }
}
