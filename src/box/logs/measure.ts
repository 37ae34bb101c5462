import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { ContainersFailed } from '../core.ts';
import { containersNow } from '../engine/containers-by-app.ts';
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
