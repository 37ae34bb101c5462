import { parseJson } from '../../../lib/json.ts';
import { asList, asRecord } from '../compose/fields.ts';
import type { UsedAt } from './app-facts.ts';

/** The file in an app's directory, a Compose file that is added to the app's own. */
export const keptVolumesFile = '.boxgate-volumes.json';

export type KeptVolume = { name: string; at: UsedAt[] };

/** A Compose file that gives each service the volumes that its containers had. */
export function keptVolumesText(volumes: readonly KeptVolume[]): string {
  const keyed = volumes.map((volume, index) => ({ ...volume, key: `boxgate-kept-${index}` }));
  const uses = keyed.flatMap(({ key, at }) => at.map((one) => ({ ...one, key })));
  const services = [...Map.groupBy(uses, ({ service }) => service)].map(([service, mounts]) => [
    service,
    {
      volumes: mounts.map(({ key, target }) => ({
        type: 'volume',
        source: key,
        target: target.replaceAll('$', '$$$$'),
      })),
    },
  ]);
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
