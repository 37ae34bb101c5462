import { isWithin } from '../../engine/rules/mounts.ts';
import { asList, asRecord, type Fields } from '../../rules/compose/fields.ts';

/** `real`: a path without links. */
type Place = { project: string; directory: string; real: (path: string) => string };

/** Why a second app with this answer of Compose would disturb the first; `null` if both can run. Ignores host ports. */
export function besideProblem(config: unknown, place: Place): string | null {
  const { services, volumes, networks } = asRecord(config);
  const problems = [
    ...problemsIn(services, (service) => serviceProblem(service, place)).map((text) => `its service ${text}`),
    ...problemsIn(volumes, (volume, key) => volumeProblem(volume, key, place)).map((text) => `its volume ${text}`),
    ...problemsIn(networks, (network, key) => networkProblem(network, key, place)).map((text) => `its network ${text}`),
  ];
  return problems[0] ?? null;
}

function problemsIn(entries: unknown, problemOf: (entry: Fields, key: string) => string | null): string[] {
  return Object.entries(asRecord(entries)).flatMap(([key, entry]) => {
    const problem = problemOf(asRecord(entry), key);
    return problem === null ? [] : [`${key} ${problem}`];
  });
}

function serviceProblem(service: Fields, { directory, real }: Place): string | null {
  if (typeof service.container_name === 'string') return `has the fixed container_name ${service.container_name}`;
  if (service.network_mode === 'host') return 'uses the network of the machine';
  const inside = real(directory);
  for (const { type, source, read_only: isReadOnly } of asList(service.volumes).map(asRecord)) {
    if (type !== 'bind' || typeof source !== 'string' || isReadOnly === true || source.endsWith('.sock')) continue;
    const path = real(source.replaceAll('$$', '$')); // Compose's answer has each `$` twice.
    if (!isWithin(path, inside)) return `writes to ${path}, which both would share`;
  }
  return null;
}

function volumeProblem(volume: Fields, key: string, { project }: Place): string | null {
  if (volume.external === true || volume.name !== `${project}_${key}`) return 'has a fixed name';
  return Object.keys(asRecord(volume.driver_opts)).length > 0 ? 'has its data outside of Docker' : null;
}

function networkProblem({ external, name, ipam }: Fields, key: string, { project }: Place): string | null {
  if (external === true) return null; // Shared on purpose, such as that of a proxy.
  if (name !== `${project}_${key}`) return 'has a fixed name';
  const hasSubnet = asList(asRecord(ipam).config).some((one) => asRecord(one).subnet !== undefined);
  return hasSubnet ? 'has a fixed subnet' : null;
}
