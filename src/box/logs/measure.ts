import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { ContainersFailed } from '../core.ts';
import { containersByApp, containersNow } from '../engine/containers-by-app.ts';
import { lookAtContainers } from '../engine/observer.ts';
import type { Container } from '../engine/rules/container.ts';
import { isWithin } from '../engine/rules/mounts.ts';
import type { FolderSize, LogsBox } from './ports.ts';

export type AppMeasures = {
  usage: { container: string; processor_percent: number; memory_bytes: number }[];
  data: ({ kind: 'app folder' | 'folder' | 'volume'; name: string; path: string } & Partial<FolderSize>)[];
  problems: string[];
};

/** What an app uses now, and the space of its data. Takes seconds. */
export async function measureApp(box: LogsBox, name: string): Promise<AppMeasures> {
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
    unless(box.logs.usage(running.map(({ id }) => id)), new Map()),
    dataOf(box, name, containers),
  ]);
  const data = [{ kind: 'app folder' as const, name, path: box.folders.path(name) }, ...folders];
  const sizes = await box.logs.sizes(data.map(({ path }) => path));
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

/**
 * What the containers of an app use together now, and the size of its folder and volumes; `null` while that is not known.
 */
export type AppUse = { processorPercent: number; memoryBytes: number; dataBytes: number | null };

/**
 * What every installed app uses now, by name, from one call of `docker stats`. Takes seconds. Throws ContainersFailed.
 */
export async function measureApps(box: LogsBox): Promise<Map<string, AppUse>> {
  const apps = box.apps.all('installed');
  const all = containersByApp(box, await lookAtContainers(box), apps, box.records.load());
  const of = new Map(
    apps.map(({ name, path }) => {
      const containers = all.get(name) ?? [];
      const volumes = dataOf(box, name, containers).filter(({ kind }) => kind === 'volume');
      return [name, { containers, paths: [path, ...volumes.map((one) => one.path)] }] as const;
    }),
  );
  const running = [...all.values()].flat().filter(({ state }) => state === 'running');
  const [usage, sizes] = await Promise.all([
    box.logs.usage(running.map(({ id }) => id)),
    box.logs.sizes([...of.values()].flatMap(({ paths }) => paths)),
  ]);
  return new Map(
    [...of].map(([name, { containers, paths }]) => {
      const used = containers.flatMap(({ id }) => usage.get(id) ?? []);
      const found = paths.map((path) => sizes.get(path));
      const isWhole = found.every((size) => size?.isWhole);
      return [
        name,
        {
          processorPercent: sum(used.map((one) => one.processorPercent)),
          memoryBytes: sum(used.map((one) => one.memoryBytes)),
          dataBytes: isWhole ? sum(found.map((size) => size?.bytes ?? 0)) : null,
        },
      ];
    }),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

type Data = { kind: 'folder' | 'volume'; name: string; path: string };

/** The volumes of an app, and the folders outside of its own that its containers have. */
function dataOf(box: LogsBox, name: string, containers: readonly Container[]): Data[] {
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
