import { parseJson } from '../../../lib/json.ts';
import { asList, asRecord } from '../../rules/compose/fields.ts';
import type { UsedAt } from './app-facts.ts';

/** The file in an app's directory, a Compose file that is added to the app's own. */
export const keptVolumesFile = '.boxgate-volumes.json';

export type KeptVolume = { name: string; at: UsedAt[] };

/** A Compose file that gives each service the volumes that its containers had. */
export function keptVolumesText(volumes: readonly KeptVolume[]): string {
  const keyed = volumes.map((volume, index) => ({ ...volume, key: `boxgate-kept-${index}` }));
  const uses = keyed.flatMap(({ key: source, at }) => {
    return at.map(({ service, target }) => ({
      service,
      mount: { type: 'volume', source, target: target.replaceAll('$', '$$$$') },
    }));
  });
  const services = [...Map.groupBy(uses, ({ service }) => service)].map(([service, all]) => {
    return [service, { volumes: all.map(({ mount }) => mount) }];
  });
  const names = keyed.map(({ key, name }) => [key, { name }]);
  return `${JSON.stringify({ services: Object.fromEntries(services), volumes: Object.fromEntries(names) })}\n`;
}

/** The volumes in such a file; empty for any other text. */
export function keptVolumes(text: string): KeptVolume[] {
  const { services, volumes } = asRecord(parseJson(text));
  const uses = Object.entries(asRecord(services)).flatMap(([service, entry]) => {
    return asList(asRecord(entry).volumes)
      .map(asRecord)
      .map(({ source, target }) => ({ key: source, service, target: String(target).replaceAll('$$', '$') }));
  });
  return Object.entries(asRecord(volumes)).map(([key, entry]) => ({
    name: String(asRecord(entry).name),
    at: uses.filter((one) => one.key === key).map(({ service, target }) => ({ service, target })),
  }));
}

/**
 * Those for which Compose's answer about a project has a place: its service is there, and mounts nothing else at the
 * path. Compose refuses a file that names another service, and prefers its mounts to those of the files before.
 */
export function fittingVolumes(volumes: readonly KeptVolume[], config: unknown): KeptVolume[] {
  const services = asRecord(asRecord(config).services);
  const isFree = ({ service, target }: UsedAt) => {
    if (!Object.hasOwn(services, service)) return false;
    const { volumes: mounts, tmpfs } = asRecord(services[service]);
    const mounted = asList(mounts)
      .map(asRecord)
      .filter(({ type, source }) => type !== 'volume' || source);
    const taken = [...mounted.map(({ target }) => target), ...asList(tmpfs).map((one) => `${one}`.split(':', 1)[0])];
    return !taken.some((path) => plainPath(String(path).replaceAll('$$', '$')) === plainPath(target));
  };
  return volumes.map(({ name, at }) => ({ name, at: at.filter(isFree) })).filter(({ at }) => at.length > 0);
}

/** The engine names a path of a container like this, whatever the Compose file has. */
function plainPath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`;
}
