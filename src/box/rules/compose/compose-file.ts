/**
 * The facts that the box reads from an app's Compose files without asking Compose: the project's name, the services
 * with their images, and the further files that belong to the project. Compose validates everything else.
 */

import { projectOfDirectory } from '../manifest/app-name.ts';
import { interpolate } from './interpolate.ts';

/** In Compose's order of precedence. box/process/19 */
export const composeFileNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'] as const;

/** In Compose's order of precedence. choice/box/98 */
export const overrideFileNames = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
] as const;

export type ServiceFacts = {
  image: string | null;
  /** Its image is built on this machine. */
  built: boolean;
  /** Docker restarts it whenever it ends, so a container that has ended with status 0 is a fault. */
  restarts: boolean;
  containerName: string | null;
  /** Services that must have ended with status 0 before this one starts (`service_completed_successfully`). */
  after?: string[];
  /** `ports` in the short form; `null` if `ports` alone does not determine the published ports. */
  ports?: string[] | null;
};

export type ComposeFacts = {
  name: string | null;
  services: Record<string, ServiceFacts>;
  /** Further files that Compose reads, with paths as the Compose files write them. */
  files: string[];
  /** Files of `configs` and `secrets`. Compose mounts them without reading them. */
  mounted: string[];
  /** False if the services depend on `include`, `extends` or `profiles`, which only Compose resolves. */
  complete: boolean;
  /** Digest of the project whose services Compose resolved; absent if they were read from the Compose files. */
  resolvedFor?: string;
};

/** The facts of a Compose file and its override; the override wins. Throws for text that is not YAML. */
export async function readComposeFiles(texts: readonly string[]): Promise<ComposeFacts> {
  const facts = (await readDocuments(texts)).map(factsOf).reduce(mergeFacts, emptyFacts);
  return texts.some((text) => mergesOtherwise.test(text)) ? withoutPorts(facts) : facts;
}

/** The documents of Compose files. Throws for text that is not YAML. */
export async function readDocuments(texts: readonly string[]): Promise<Fields[]> {
  // Loaded on first use: loading it would be the longest part of a start.
  const { parse } = await import('yaml');
  // The parser does not check for duplicate keys, because that takes minutes for many keys, and Compose refuses them
  // anyway. Merge keys and aliases are resolved below, because the parser's merging takes minutes too and is limited to
  // 100 uses of an anchor. The schema is named because a `%YAML 1.1` in the file would choose one that merges.
  const options = { schema: 'core', maxAliasCount: -1, logLevel: 'error', uniqueKeys: false } as const;
  const read = (text: string) => filledIn(parse(withFewAliases(text), options), { count: mostValues });
  return texts.map((text) => asRecord(orTooDeep(() => read(text))));
}

/** The facts with the services of `docker compose config`, in which nothing is left to resolve. */
export function resolvedFacts(facts: ComposeFacts, config: unknown, digest: string): ComposeFacts {
  return { ...facts, services: factsOf(asRecord(config)).services, complete: true, resolvedFor: digest };
}

/** Tags with which an override file replaces or removes entries. */
const mergesOtherwise = /!(?:override|reset)\b/;

function withoutPorts(facts: ComposeFacts): ComposeFacts {
  const services = Object.entries(facts.services).map(([name, { ports: _, ...others }]) => [name, others]);
  return { ...facts, services: Object.fromEntries(services) };
}

/** For each alias the parser searches all aliases and anchors: 2000 take a tenth of a second, 10 000 take 2 s. */
const mostAliases = 2000;
/** Aliases of aliases multiply the number of values. */
const mostValues = 1_000_000;

function withFewAliases(text: string): string {
  if ((text.match(/[&*]\S/g)?.length ?? 0) > mostAliases) throw new Error('it has too many aliases');
  return text;
}

/**
 * A copy of a value without shared parts and with merge keys (`<<`) resolved. A mapping's own keys win over merged
 * ones, and earlier sources over later ones.
 */
function filledIn(value: unknown, left: { count: number }): unknown {
  left.count -= 1;
  if (left.count < 0) throw new Error('its aliases repeat too much');
  if (Array.isArray(value)) return value.map((one) => filledIn(one, left));
  if (typeof value !== 'object' || value === null) return value;
  const { '<<': sources, ...own } = value as Fields;
  const merged = asList(sources).flatMap((source) => Object.entries(asRecord(filledIn(source, left))));
  left.count -= merged.length;
  const entries = Object.entries(own).map(([key, one]) => [key, filledIn(one, left)] as const);
  return Object.fromEntries([...merged.reverse(), ...entries]);
}

/**
 * Reports deep nesting: the recursive parser overflows the stack at some hundred levels, and throws either of two
 * errors.
 */
function orTooDeep<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isTooDeep = error instanceof RangeError || (error as { code?: string }).code === 'RESOURCE_EXHAUSTION';
    throw isTooDeep ? new Error('it is nested too deeply', { cause: error }) : error;
  }
}

const emptyFacts: ComposeFacts = { name: null, services: {}, files: [], mounted: [], complete: true };

/**
 * The project name that `docker compose` itself would use in that directory: COMPOSE_PROJECT_NAME of the `.env`, else
 * the Compose file's `name:`, else a name made from the directory's.
 * box/process/20, choice/box/98
 */
export function projectName(facts: ComposeFacts, env: ReadonlyMap<string, string>, directoryName: string): string {
  const fromEnv = env.get('COMPOSE_PROJECT_NAME');
  if (fromEnv) return fromEnv;
  const named = facts.name === null ? null : interpolate(facts.name, env);
  return named || projectOfDirectory(directoryName);
}

/** The image reference of a service, interpolated; `null` if the Compose files name no image. */
export function serviceTag(facts: ComposeFacts, service: string, env: ReadonlyMap<string, string>): string | null {
  const image = facts.services[service]?.image ?? null;
  return image === null ? null : interpolate(image, env);
}

/** Paths of Compose files, interpolated. */
export function filledInPaths(files: readonly string[], env: ReadonlyMap<string, string>): string[] {
  return files.map((file) => interpolate(file, env)).filter((file) => file !== null && file !== '') as string[];
}

type Fields = Record<string, unknown>;

function factsOf(document: Fields): ComposeFacts {
  const services = Object.entries(asRecord(document.services)).map(
    ([name, service]) => [name, asRecord(service)] as const,
  );
  const included = asList(document.include).flatMap((entry) => pathsOf(entry));
  const files = [...services.flatMap(([, service]) => filesOfService(service)), ...included];
  const mounted = [...filesOfEntries(document.configs), ...filesOfEntries(document.secrets)];
  return {
    name: asText(document.name),
    services: Object.fromEntries(services.map(([name, service]) => [name, serviceFacts(service)])),
    files: [...new Set(files)],
    mounted: [...new Set(mounted)],
    complete: included.length === 0 && !services.some(([, service]) => isForCompose(service)),
  };
}

function isForCompose(service: Fields): boolean {
  return service.extends !== undefined || asList(service.profiles).length > 0;
}

function serviceFacts(service: Fields): ServiceFacts {
  return {
    image: asText(service.image),
    built: service.build !== undefined,
    restarts: restartsAlways(service),
    containerName: asText(service.container_name),
    ...afterOf(service),
    ...portsOf(service),
  };
}

function afterOf(service: Fields): { after?: string[] } {
  const after = Object.entries(asRecord(service.depends_on))
    .filter(([, dependency]) => asRecord(dependency).condition === 'service_completed_successfully')
    .map(([name]) => name);
  return after.length === 0 ? {} : { after };
}

/** A service with a profile may not be started. A service in another container's network publishes no ports. */
function portsOf(service: Fields): { ports?: string[] | null } {
  if (asList(service.profiles).length > 0 || service.network_mode !== undefined) return { ports: null };
  const ports = asList(service.ports).flatMap((entry) => asText(entry) ?? longPort(asRecord(entry)));
  return ports.length === 0 ? {} : { ports };
}

function longPort({ host_ip, published, target, protocol }: Fields): string[] {
  const host = asText(published);
  if (host === null) return [];
  const address = asText(host_ip) === null ? '' : `[${host_ip}]:`;
  return [`${address}${host}:${asText(target)}/${asText(protocol) ?? 'tcp'}`];
}

/** `on-failure` does not restart a container that ended with status 0. */
function restartsAlways(service: Fields): boolean {
  const restart = service.restart;
  if (restart !== undefined && restart !== 'no' && restart !== false) return !/^on-failure/.test(`${restart}`);
  const policy = asRecord(asRecord(service.deploy).restart_policy);
  return Object.keys(policy).length > 0 && policy.condition !== 'none' && policy.condition !== 'on-failure';
}

function filesOfService(service: Fields): string[] {
  return [
    ...asList(service.env_file).flatMap(pathsOf),
    ...asList(service.label_file).flatMap(pathsOf),
    ...asList(asRecord(service.extends).file).flatMap(pathsOf),
  ];
}

function filesOfEntries(entries: unknown): string[] {
  return Object.values(asRecord(entries)).flatMap((entry) => pathsOf(asRecord(entry).file));
}

/** A path is a text, or the `path` of an object, which may be a list. */
function pathsOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  return asList(asRecord(entry).path).filter((path) => typeof path === 'string');
}

function mergeFacts(base: ComposeFacts, over: ComposeFacts): ComposeFacts {
  const services = { ...base.services };
  for (const [name, facts] of Object.entries(over.services)) {
    const below = services[name];
    services[name] = below === undefined ? facts : mergeService(below, facts);
  }
  return {
    name: over.name ?? base.name,
    services,
    files: [...new Set([...base.files, ...over.files])],
    mounted: [...new Set([...base.mounted, ...over.mounted])],
    complete: base.complete && over.complete,
  };
}

function mergeService(base: ServiceFacts, over: ServiceFacts): ServiceFacts {
  return {
    image: over.image ?? base.image,
    built: over.built || base.built,
    restarts: over.restarts || base.restarts,
    containerName: over.containerName ?? base.containerName,
    ...(base.after || over.after ? { after: [...(base.after ?? []), ...(over.after ?? [])] } : {}),
    ...mergePorts(base.ports, over.ports),
  };
}

/** Compose appends the entries of an override. */
function mergePorts(base: ServiceFacts['ports'], over: ServiceFacts['ports']): Pick<ServiceFacts, 'ports'> {
  if (base === null || over === null) return { ports: null };
  if (base === undefined && over === undefined) return {};
  return { ports: [...new Set([...(base ?? []), ...(over ?? [])])] };
}

function asRecord(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function asText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
