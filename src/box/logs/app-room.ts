import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { titlesOf } from '../app-files/titles.ts';
import { containersOf } from '../engine/containers-by-app.ts';
import { diskProblemOf } from '../engine/disks.ts';
import type { Container } from '../engine/rules/container.ts';
import { isWithin } from '../engine/rules/mounts.ts';
import { openUrls } from '../https/https-status.ts';
import type { AppOperation, ShownState } from '../known-apps.ts';
import { type BoxPorts, ContainersFailed } from '../ports.ts';
import type { FolderSize, PastChange } from './ports.ts';

type ShownContainer = Pick<Container, 'name' | 'service' | 'state' | 'health' | 'image'> & {
  started_at: string | null;
};

export type AppRoom = ShownState & {
  name: string;
  title: string;
  version: string | null;
  /** The names that lead to it, at home and from outside. */
  addresses: string[];
  operation: AppOperation | null;
  containers: ShownContainer[];
  changes: PastChange[];
  /** Why the containers are unknown; `null` if they are known. */
  problem: string | null;
  /** Why the app is not started, if a disk is missing; else `null`. */
  diskProblem: string | null;
};

/** What an app's room shows at once; `measureApp` has what takes seconds. */
export async function showApp(box: BoxPorts, name: string): Promise<AppRoom> {
  const app = refuseNotInstalled(box, name);
  const { containers, problem } = await containersNow(box, name);
  const { entry } = app;
  const home = openUrls(box).get(name);
  return {
    name,
    title: titlesOf(box).get(name) ?? name,
    version: entry.ok ? entry.version : null,
    addresses: [...(home === undefined ? [] : [home]), ...(box.addresses.urls().get(app.path) ?? [])],
    ...(box.states.of(box.apps.all('installed')).get(name) as ShownState),
    operation: box.operations.all().get(name) ?? null,
    containers: containers.map(({ name: container, service, state, health, image, startedAt }) => ({
      name: container,
      service,
      state,
      health,
      image,
      started_at: startedAt === null ? null : new Date(startedAt).toISOString(),
    })),
    changes: box.room.history.of(name),
    problem,
    diskProblem: diskProblemOf(box, name, box.records.load().get(name)?.model ?? null),
  };
}

export type AppMeasures = {
  /** By container. */
  usage: { container: string; processor_percent: number; memory_bytes: number }[];
  data: ({ kind: 'app folder' | 'folder' | 'volume'; name: string; path: string } & Partial<FolderSize>)[];
  problems: string[];
};

/** What an app uses now, and the space of its data. Takes seconds. */
export async function measureApp(box: BoxPorts, name: string): Promise<AppMeasures> {
  refuseNotInstalled(box, name);
  const { containers, problem } = await containersNow(box, name);
  const problems = new Set(problem === null ? [] : [problem]);
  const unless = <T>(work: Promise<T>, otherwise: T) =>
    work.catch((error: unknown) => {
      if (!(error instanceof ContainersFailed)) throw error;
      problems.add(maskSecretsIn(box, error.message, name));
      return otherwise;
    });
  const running = containers.filter(({ state }) => state === 'running');
  const [usage, folders] = await Promise.all([
    unless(box.room.usage(running.map(({ id }) => id)), new Map()),
    dataOf(box, name, containers),
  ]);
  const data = [{ kind: 'app folder' as const, name, path: box.folders.path(name) }, ...folders];
  const sizes = await box.room.sizes(data.map(({ path }) => path));
  return {
    usage: running.flatMap(({ id, name: container }) => {
      const used = usage.get(id);
      if (used === undefined) return [];
      return [{ container, processor_percent: used.processorPercent, memory_bytes: used.memoryBytes }];
    }),
    data: data.map((one) => ({ ...one, ...sizes.get(one.path) })),
    problems: [...problems],
  };
}

async function containersNow(
  box: BoxPorts,
  name: string,
): Promise<{ containers: Container[]; problem: string | null }> {
  try {
    return { containers: await containersOf(box, name), problem: null };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return { containers: [], problem: error.message };
  }
}

type Data = { kind: 'folder' | 'volume'; name: string; path: string };

/** The volumes of an app, and the folders outside of its own that its containers have. */
function dataOf(box: BoxPorts, name: string, containers: readonly Container[]): Data[] {
  const { real } = box.disks.look();
  const own = real(box.folders.path(name));
  const isOwn = (path: string) => isWithin(real(path), own);
  const data = containers
    .flatMap(({ mounts }) => mounts)
    .filter(({ type, source }) => (type === 'volume' || type === 'bind') && source !== '' && !isOwn(source))
    .map(
      ({ type, source, name: volume }): Data =>
        type === 'volume'
          ? { kind: 'volume', name: volume, path: source }
          : { kind: 'folder', name: source, path: source },
    );
  return [...new Map(data.map((one) => [one.path, one])).values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
