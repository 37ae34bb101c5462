import { basename } from 'node:path';
import type { Call } from '../../handler/call.ts';
import type { Flags } from '../../handler/views/flags.ts';
import { Failure } from '../../model/failure.ts';
import { findSources, type Sources } from './files.ts';
import { mergeFiles, readComposeFile } from './read-file.ts';
import { type Fields, isFields } from './schema.ts';
import { readService, type Service } from './service.ts';

export type Resource = { key: string; name: string; external: boolean; fields: Fields };

/** A project after all files, variables and profiles were applied. */
export type Project = {
  name: string;
  sources: Sources;
  services: Service[];
  /** Services of inactive profiles. They are not orphans. */
  disabled: Service[];
  networks: Resource[];
  volumes: Resource[];
};

type Options = { substitutes?: boolean; warns?: boolean };

export function loadProject(
  call: Call,
  global: Flags,
  services: readonly string[] = [],
  options: Options = {},
): Project {
  const sources = findSources(call, global);
  const named = projectName(call, global, sources, null);
  if (named) sources.environment.set('COMPOSE_PROJECT_NAME', named);
  const file = readAll(call, sources, options);
  const name = named ?? projectName(call, global, sources, file) ?? '';
  return assemble(name, sources, file, activeProfiles(global, sources), services);
}

function readAll(call: Call, sources: Sources, options: Options): Fields {
  const reported = new Set<string>();
  const warn = (text: string) => {
    if (options.warns !== false && !reported.has(text)) logWarning(call, text);
    reported.add(text);
  };
  const lookup = (name: string) => sources.environment.get(name);
  const read = sources.files.map((path) => readComposeFile(path, lookup, warn, options.substitutes !== false));
  return read.reduce(mergeFiles);
}

/** Prints a warning in the format of the Compose logger. */
export function logWarning(call: Call, text: string): void {
  const time = new Date(call.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  call.err(`time="${time}" level=warning msg=${JSON.stringify(text)}\n`);
}

/** The name from the command line, the environment, the file or the directory. */
function projectName(call: Call, global: Flags, sources: Sources, file: Fields | null): string | null {
  const given = global.text('project-name') || sources.environment.get('COMPOSE_PROJECT_NAME');
  if (given) return checkProjectName(given);
  if (!file) return null;
  if (file.name !== undefined) return checkProjectName(String(file.name));
  const folded = foldName(basename(sources.directory || call.cwd));
  if (folded === '') throw new Failure(15, 'project name must not be empty');
  return folded;
}

function foldName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
}

export function checkProjectName(name: string): string {
  if (foldName(name) === name) return name;
  throw new Failure(
    1,
    `invalid project name ${JSON.stringify(name)}: must consist only of lowercase alphanumeric characters, hyphens, and underscores as well as start with a letter or number`,
  );
}

function activeProfiles(global: Flags, sources: Sources): string[] {
  const asked = global.list('profile');
  return asked.length > 0 ? asked : (sources.environment.get('COMPOSE_PROFILES')?.split(',') ?? []).filter(Boolean);
}

function assemble(name: string, sources: Sources, file: Fields, profiles: string[], asked: readonly string[]): Project {
  const lookup = (key: string) => (key === 'COMPOSE_PROJECT_NAME' ? name : sources.environment.get(key));
  const written = Object.entries((file.services ?? {}) as Record<string, Fields>);
  const all = written
    .map(([service, fields]) => readService(service, name, fields, sources.directory, lookup))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const isOn = (service: Service) =>
    service.profiles.length === 0 ||
    profiles.includes('*') ||
    asked.includes(service.name) ||
    service.profiles.some((profile) => profiles.includes(profile));
  const project = {
    name,
    sources,
    services: all.filter(isOn),
    disabled: all.filter((service) => !isOn(service)),
    networks: resources(name, file.networks),
    volumes: resources(name, file.volumes),
  };
  checkReferences(project, all);
  return project;
}

function resources(project: string, declared: unknown): Resource[] {
  const entries = Object.entries((declared ?? {}) as Record<string, Fields | null>);
  return entries.map(([key, fields]) => {
    const external = fields?.external === true || isFields(fields?.external);
    return {
      key,
      name: String(fields?.name ?? (external ? key : `${project}_${key}`)),
      external,
      fields: fields ?? {},
    };
  });
}

function checkReferences(project: Project, all: readonly Service[]): void {
  const invalid = (service: Service, text: string) =>
    new Failure(15, `service ${JSON.stringify(service.name)} ${text}: invalid compose project`);
  const uses = (key: string) => project.services.some((service) => key in service.networks);
  if (uses('default') && !project.networks.some((one) => one.key === 'default')) {
    project.networks.push({ key: 'default', name: `${project.name}_default`, external: false, fields: {} });
  }
  for (const service of project.services) {
    const lost = Object.entries(service.dependencies).find(
      ([name, one]) => one.required && !all.some((other) => other.name === name),
    );
    if (lost) throw invalid(service, `depends on undefined service ${JSON.stringify(lost[0])}`);
    const network = Object.keys(service.networks).find((key) => !project.networks.some((one) => one.key === key));
    if (network) throw invalid(service, `refers to undefined network ${network}`);
    const mount = service.volumes.find(
      (one) => one.type === 'volume' && one.source && !project.volumes.some((volume) => volume.key === one.source),
    );
    if (mount) throw invalid(service, `refers to undefined volume ${mount.source}`);
  }
  inDependencyOrder(project.services);
}

/** Services after their dependencies; throws for a cycle. */
export function inDependencyOrder(services: readonly Service[]): Service[] {
  const order: Service[] = [];
  const onTheWay: string[] = [];
  const visit = (service: Service) => {
    if (order.includes(service)) return;
    if (onTheWay.includes(service.name)) {
      throw new Failure(15, `dependency cycle detected: ${[...onTheWay, service.name].join(' -> ')}`);
    }
    onTheWay.push(service.name);
    for (const name of Object.keys(service.dependencies)) {
      const needed = services.find((one) => one.name === name);
      if (needed) visit(needed);
    }
    onTheWay.pop();
    order.push(service);
  };
  services.forEach(visit);
  return order;
}

/** The named services (all by default), optionally with their dependencies. */
export function selectServices(project: Project, names: readonly string[], withDependencies: boolean): Service[] {
  const all = inDependencyOrder(project.services);
  if (names.length === 0) return all;
  const chosen = new Set<string>();
  const choose = (name: string) => {
    const service = all.find((one) => one.name === name);
    if (!service) throw new Failure(1, `no such service: ${name}`);
    if (chosen.has(name)) return;
    chosen.add(name);
    if (withDependencies)
      Object.keys(service.dependencies)
        .filter((one) => all.some((other) => other.name === one))
        .forEach(choose);
  };
  names.forEach(choose);
  return all
    .filter((service) => chosen.has(service.name))
    .map((service) => (withDependencies ? service : among(chosen, service)));
}

/** Removes dependencies that are not selected, because a service does not wait for them. */
function among(chosen: ReadonlySet<string>, service: Service): Service {
  const kept = Object.entries(service.dependencies).filter(([name]) => chosen.has(name));
  return { ...service, dependencies: Object.fromEntries(kept) };
}
