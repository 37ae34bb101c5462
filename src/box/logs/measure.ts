import { ignore } from '../../lib/ignore.ts';
import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { ContainersFailed } from '../core.ts';
import { containersByApp, containersNow } from '../engine/containers-by-app.ts';
import { allContainers } from '../engine/observer.ts';
import type { Container } from '../engine/rules/container.ts';
import { isWithin } from '../engine/rules/mounts.ts';
import type { LogsBox } from './ports.ts';
import type { Usage } from './rules/usage.ts';

/** What an app uses now, the space of its data, and why a part of that is not known. Takes seconds. */
export async function measureApp(box: LogsBox, name: string) {
  refuseNotInstalled(box, name);
  const { containers, problem } = await containersNow(box, name);
  const problems = problem === null ? [] : [problem];
  const unknown = ignore(ContainersFailed, ({ message }) => {
    const text = maskSecretsIn(box, message, name);
    if (!problems.includes(text)) problems.push(text);
    return new Map<string, Usage>();
  });
  const data = dataOf(box, name, containers);
  const [usage, sizes] = await Promise.all([
    usageOf(box, containers).catch(unknown),
    box.logs.sizes(data.map(({ path }) => path)),
  ]);
  return {
    usage: containers.flatMap(({ id, name: container }) => {
      const used = usage.get(id);
      return used === undefined ? [] : [{ container, ...used }];
    }),
    data: data.map((one) => ({ ...one, ...sizes.get(one.path) })),
    problems,
  };
}

/**
 * What every installed app uses now, by name, from one call of `docker stats`, and the size of its folder and volumes;
 * `null` while that is not known. Takes seconds. Throws ContainersFailed.
 */
export async function measureApps(box: LogsBox) {
  const apps = box.apps.all('installed');
  const all = containersByApp(box, await allContainers(box), apps, box.records.load());
  const of = apps.map(({ name }) => {
    const containers = all.get(name) ?? [];
    const data = dataOf(box, name, containers).filter(({ kind }) => kind !== 'folder');
    return { name, containers, paths: data.map(({ path }) => path) };
  });
  const [usage, sizes] = await Promise.all([
    usageOf(box, [...all.values()].flat()),
    box.logs.sizes(of.flatMap(({ paths }) => paths)),
  ]);
  return of.map(({ name, containers, paths }) => {
    const used = containers.flatMap(({ id }) => usage.get(id) ?? []);
    const found = paths.map((path) => sizes.get(path));
    const isWhole = found.every((size) => size?.isWhole);
    return {
      name,
      processorPercent: sum(used.map((one) => one.processorPercent)),
      memoryBytes: sum(used.map((one) => one.memoryBytes)),
      dataBytes: isWhole ? sum(found.map((size) => size?.bytes ?? 0)) : null,
    };
  });
}

function usageOf(box: LogsBox, containers: readonly Container[]): Promise<Map<string, Usage>> {
  return box.logs.usage(containers.filter(({ state }) => state === 'running').map(({ id }) => id));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

type Data = { kind: 'app folder' | 'folder' | 'volume'; name: string; path: string };

/** The folder of an app, its volumes, and the folders outside of its own that its containers have. */
function dataOf(box: LogsBox, app: string, containers: readonly Container[]): Data[] {
  const { real } = box.disks.look();
  const path = box.folders.path(app);
  const own = real(path);
  const isOwn = (source: string) => isWithin(real(source), own);
  const data = containers
    .flatMap(({ mounts }) => mounts)
    .filter(({ type, source }) => (type === 'volume' || type === 'bind') && source !== '' && !isOwn(source))
    .map(
      ({ type, source, name }): Data =>
        type === 'volume' ? { kind: 'volume', name, path: source } : { kind: 'folder', name: source, path: source },
    );
  const others = [...new Map(data.map((one) => [one.path, one])).values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [{ kind: 'app folder', name: app, path }, ...others];
}
