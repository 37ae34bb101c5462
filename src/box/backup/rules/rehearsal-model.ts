import { isWithin } from '../../engine/rules/mounts.ts';
import { asList, asRecord, type Fields } from '../../rules/compose/fields.ts';
import type { UsedAt } from './app-facts.ts';

export type RehearsalPlan = {
  project: string;
  directory: string;
  /** Where the app's directory is and was, absolute. */
  formerly: readonly string[];
  /** Ids of the images of the backup that this machine has, by service. */
  images: ReadonlyMap<string, string>;
  /** The restored volumes that no Compose file declares. */
  unnamed: readonly { key: string; at: readonly UsedAt[] }[];
  real(path: string): string;
};

/** Folders through which a container reaches what runs on the machine. */
const ofTheSystem =
  /^\/(?:(?:var\/)?run(?:\/.*)?|dev(?:\/.*)?|proc(?:\/.*)?|sys(?:\/.*)?|var|var\/lib\/docker(?:\/.*)?)?$/;

/**
 * Turns Compose's answer about a restored app into a project that runs beside the app and touches nothing of it: no
 * published ports, volumes and networks of its own without a way outside, no labels that a proxy would read, and folders
 * outside of the app's directory read-only. `problem`: why the app cannot be rehearsed like that.
 */
export function rehearsalModel(config: unknown, plan: RehearsalPlan) {
  const { services, volumes, networks, configs, secrets } = asRecord(config);
  const own: Fields = {};
  for (const [name, entry] of Object.entries(asRecord(services))) {
    const service = asRecord(entry);
    const image = plan.images.get(name);
    const problem = problemOf(service, image, plan.real);
    if (problem !== null) return { ok: false as const, problem: `its service ${name} ${problem}` };
    own[name] = rehearsed(service, image, { ...plan, service: name });
  }
  const named = (entries: unknown, more: Fields) => {
    const keys = Object.keys(asRecord(entries));
    return Object.fromEntries(keys.map((key) => [key, { name: `${plan.project}_${key}`, ...more }]));
  };
  const model = {
    name: plan.project,
    services: own,
    volumes: named({ ...asRecord(volumes), ...Object.fromEntries(plan.unnamed.map(({ key }) => [key, {}])) }, {}),
    networks: { default: {}, ...asRecord(networks) },
    configs: withFiles(configs, plan),
    secrets: withFiles(secrets, plan),
  };
  return { ok: true as const, model: { ...model, networks: named(model.networks, { internal: true }) } };
}

/** `null` if the service can run beside itself. */
function problemOf(service: Fields, image: string | undefined, real: RehearsalPlan['real']): string | null {
  const { network_mode: mode, privileged, devices, volumes, build } = service;
  if (typeof mode === 'string' && /^(?:host|container:)/.test(mode)) return 'uses the network of the machine';
  const isOfHost = ['pid', 'ipc', 'uts', 'cgroup'].some((key) =>
    /^(?:host|container:)/.test(String(service[key] ?? '')),
  );
  if (isOfHost) return 'shares a namespace with the machine';
  if (privileged === true) return 'is privileged';
  if (asList(devices).length > 0) return 'uses devices of the machine';
  const uses = [...asList(service.external_links), ...asList(service.volumes_from)].map(String);
  if (uses.some((one) => service.external_links !== undefined || one.startsWith('container:'))) {
    return 'uses containers of other projects';
  }
  const binds = asList(volumes)
    .map(asRecord)
    .flatMap(({ type, source }) => (type === 'bind' && typeof source === 'string' ? [source] : []));
  const reached = binds.find((source) => reachesMachine(real(source.replaceAll('$$', '$'))));
  if (reached !== undefined) return `reaches the machine through ${reached}`;
  if (image === undefined && build !== undefined && build !== null) return 'has an image that would have to be built';
  return null;
}

function reachesMachine(source: string): boolean {
  return source.endsWith('.sock') || ofTheSystem.test(source);
}

function rehearsed(service: Fields, image: string | undefined, plan: RehearsalPlan & { service: string }): Fields {
  const { ports: _ports, container_name: name, labels: _labels, mac_address: _mac, ...others } = service;
  const { build: _build, profiles: _profiles, ...kept } = others;
  const networks = service.network_mode === undefined ? { networks: withAlias(service.networks, name) } : {};
  const pinned = image === undefined ? {} : { image, pull_policy: 'missing' };
  return { ...kept, ...pinned, ...networks, volumes: volumesOf(service, plan) };
}

/** A restored volume that no Compose file declares is where the app's containers had it. */
function volumesOf(service: Fields, plan: RehearsalPlan & { service: string }): Fields[] {
  const unnamed = plan.unnamed.flatMap(({ key, at }) => at.map((one) => ({ key, ...one })));
  const own = unnamed.filter((one) => one.service === plan.service);
  const taken = new Set(own.map(({ target }) => target));
  const named = asList(service.volumes)
    .map(asRecord)
    .filter(({ target }) => !taken.has(String(target).replaceAll('$$', '$')));
  return [
    ...named.map((one) => mounted(one, plan)),
    ...own.map(({ key, target }) => ({ type: 'volume', source: key, target: target.replaceAll('$', '$$$$') })),
  ];
}

/** Other services may know the container by its name. Fixed addresses are of the network that the app uses. */
function withAlias(networks: unknown, name: unknown): Fields {
  const joined = asRecord(networks);
  const keys = Object.keys(joined).length > 0 ? Object.keys(joined) : ['default'];
  const further = typeof name === 'string' ? [name] : [];
  return Object.fromEntries(
    keys.map((key) => [key, { aliases: [...asList(asRecord(joined[key]).aliases), ...further] }]),
  );
}

function mounted(volume: Fields, plan: RehearsalPlan): Fields {
  const { type, source } = volume;
  if (type !== 'bind' || typeof source !== 'string') return volume;
  const inside = insideOf(source, plan);
  // A link may lead out of the restored directory, to the data that the app itself uses.
  const isCopy = inside !== null && isWithin(plan.real(inside.replaceAll('$$', '$')), plan.real(plan.directory));
  return isCopy ? { ...volume, source: inside } : { ...volume, source: inside ?? source, read_only: true };
}

/** The path in the restored directory of a path in the app's; `null` for others. */
function insideOf(path: string, { directory, formerly }: RehearsalPlan): string | null {
  for (const folder of [directory, ...formerly]) {
    const escaped = folder.replaceAll('$', '$$$$'); // Compose's answer has each `$` twice.
    if (path === escaped || path.startsWith(`${escaped}/`)) {
      return `${directory.replaceAll('$', '$$$$')}${path.slice(escaped.length)}`;
    }
  }
  return null;
}

function withFiles(definitions: unknown, plan: RehearsalPlan): Fields {
  return Object.fromEntries(
    Object.entries(asRecord(definitions)).map(([key, entry]) => {
      const definition = asRecord(entry);
      const { file } = definition;
      const inside = typeof file === 'string' ? insideOf(file, plan) : null;
      return [key, inside === null ? definition : { ...definition, file: inside }];
    }),
  );
}
