/** What the box needs of `docker compose config`, which has resolved files, variables, profiles and defaults. */

import { asList, asRecord, type Fields } from './fields.ts';
import { type PortSpan, plainAddress } from './port-span.ts';

export type ServiceModel = {
  image: string | null;
  isBuilt: boolean;
  /** Services that must have ended with status 0 before this one starts (`service_completed_successfully`). */
  after: string[];
  ports: WantedPort[];
  /** Texts of the configs and secrets that it uses; `env:NAME` for one that comes from a variable. */
  texts: string[];
  /** Files of the configs and secrets that it uses, and all paths that it mounts: relative inside the app's directory. */
  files: string[];
  mounts: string[];
};

/** Host ports `from` to `to` that the service will publish for its own ports from `target` on. */
export type WantedPort = PortSpan & { target: number };

/**
 * Services of active profiles only. `volumes`: Docker's names of the declared volumes; `made`: by name, a digest of the
 * options of those that are not external. Both are absent in a record of an earlier version.
 */
export type ProjectModel = {
  name: string;
  services: Record<string, ServiceModel>;
  volumes?: string[];
  made?: Record<string, string>;
};

/** No app publishes more ports. Each is compared with every port in use. */
const mostPorts = 2000;

/** Throws for a document without a name or services. `digest` keeps texts, which may be secrets, out of the model. */
export function projectModel(config: unknown, directory: string, digest: (text: string) => string): ProjectModel {
  const { name, services, configs, secrets, volumes } = asRecord(config);
  if (typeof name !== 'string' || name === '') throw new Error('it names no project');
  if (typeof services !== 'object' || services === null) throw new Error('it names no services');
  const given = {
    directory,
    digest,
    configs: asRecord(configs),
    secrets: asRecord(secrets),
    volumes: asRecord(volumes),
  };
  const models = Object.entries(asRecord(services)).map(([key, one]) => [key, serviceModel(asRecord(one), given)]);
  const declared = Object.values(given.volumes).flatMap((volume) => textOf(asRecord(volume).name) ?? []);
  return { name, services: Object.fromEntries(models), volumes: declared, made: madeOf(given) };
}

function madeOf({ volumes, digest }: Given): Record<string, string> {
  const own = Object.values(volumes).flatMap((volume) => {
    const { name, driver, driver_opts, external } = asRecord(volume);
    if (typeof name !== 'string' || external === true) return [];
    const options = Object.entries(asRecord(driver_opts)).map(([key, value]) => [key, textOf(value) ?? '']);
    const made = volumeText(textOf(driver) ?? localDriver, Object.fromEntries(options));
    return [[unescaped(name), digest(made)] as const];
  });
  return Object.fromEntries(own);
}

export const localDriver = 'local';

/** What a volume is made with, for a digest: options may have a password. Only Docker's own driver repeats its options. */
export function volumeText(driver: string, options: Readonly<Record<string, string>>): string {
  return JSON.stringify([driver, driver === localDriver ? Object.entries(options).sort() : []]);
}

type Given = { directory: string; digest: (text: string) => string; configs: Fields; secrets: Fields; volumes: Fields };

function serviceModel(service: Fields, given: Given): ServiceModel {
  const used = [...usedOf(service.configs, given.configs), ...usedOf(service.secrets, given.secrets)];
  const path = (text: string) => relativeTo(given.directory, unescaped(text));
  return {
    image: textOf(service.image),
    isBuilt: service.build !== undefined && service.build !== null,
    after: Object.entries(asRecord(service.depends_on))
      .filter(([, dependency]) => asRecord(dependency).condition === 'service_completed_successfully')
      .map(([name]) => name),
    ports: service.network_mode === undefined ? portsOf(service.ports) : [],
    texts: used.flatMap(({ content, environment }) => {
      if (typeof content === 'string') return [given.digest(content)];
      return typeof environment === 'string' ? [`env:${environment}`] : [];
    }),
    files: used.flatMap(({ file }) => (typeof file === 'string' ? [path(file)] : [])),
    mounts: asList(service.volumes).flatMap((volume) => {
      const { type, source } = asRecord(volume);
      if (typeof source !== 'string') return [];
      const folder = type === 'bind' ? source : folderOfVolume(given.volumes[source]);
      return folder === null ? [] : [path(folder)];
    }),
  };
}

/** The folder of this machine that a volume shows; `null` for a volume of Docker's own. */
function folderOfVolume(definition: unknown): string | null {
  const { o, device } = asRecord(asRecord(definition).driver_opts);
  const isBind = typeof o === 'string' && o.split(',').some((option) => /^r?bind$/.test(option.trim()));
  return isBind && typeof device === 'string' && device.startsWith('/') ? device : null;
}

function usedOf(names: unknown, definitions: Fields): Fields[] {
  return asList(names)
    .map((entry) => (typeof entry === 'string' ? entry : asRecord(entry).source))
    .map((source) => (typeof source === 'string' ? asRecord(definitions[source]) : {}));
}

function portsOf(entries: unknown): WantedPort[] {
  return asList(entries)
    .slice(0, mostPorts)
    .flatMap((entry) => wantedPort(asRecord(entry)));
}

/** Without a host port, or with a range for one port of the container, the engine chooses a free one. */
function wantedPort({ host_ip, published, target, protocol }: Fields): WantedPort[] {
  const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(textOf(published) ?? '') ?? [];
  if (Number(from) < 1 || from !== to) return [];
  const host = textOf(host_ip);
  const address = host === null ? '' : plainAddress(host);
  if (address === null) return [];
  const port = Number(from);
  const spoken = (textOf(protocol) ?? 'tcp').toLowerCase();
  return [{ protocol: spoken, address, from: port, to: port, target: Number(target) }];
}

/** Whether images of the project are built on this machine, so that no registry has them. */
export function hasBuilt({ services }: ProjectModel): boolean {
  return Object.values(services).some(({ isBuilt }) => isBuilt);
}

function relativeTo(directory: string, path: string): string {
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}

/** Compose prints each `$` twice, so that its output can be read as a Compose file. */
function unescaped(text: string): string {
  return text.replaceAll('$$', '$');
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? unescaped(value) : null;
}
