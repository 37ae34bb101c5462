import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { parseVolumes } from '../adapters/docker/docker-output.ts';
import {
  type ComposeAnswer,
  type ComposeFiles,
  type ComposeProject,
  type Containers,
  ContainersFailed,
  type MadeVolume,
} from '../core.ts';
import type { Container, Mount } from '../engine/rules/container.ts';
import { projectModel } from '../rules/compose/project-model.ts';
import { rootPowers } from '../rules/compose/root-powers.ts';
import { interpolate } from '../rules/compose/variables.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import type { SpacePorts } from '../space/ports.ts';
import { MemoryVolumes } from './memory-volumes.ts';

type Service = Record<string, unknown> & { image?: string; restart?: string; build?: unknown };
type Document = { name?: string; services: Record<string, Service> } & Record<'configs' | 'secrets', Definitions>;
type Definitions = Record<string, { file?: string }> | undefined;
type MadeContainer = Container & { config: string };
type Verb = keyof Containers;

/**
 * A fake engine in memory with a minimal Compose: it creates, starts and recreates changed containers. Tests assign its
 * state directly; `failing` makes a verb fail.
 */
export class MemoryContainers implements Containers {
  containers: MadeContainer[] = [];
  /** Local image ids by tag; a tag that is missing is pulled. */
  images = new Map<string, string>();
  /** Image ids in the registry by tag. The id of a missing tag is derived from its name. */
  registry = new Map<string, string>();
  calls: string[] = [];
  failing = new Map<Verb, ContainersFailed>();
  /** What a new container mounts, by its name. */
  mounts = new Map<string, Mount[]>();
  /** State of a new container by image id; running by default. */
  fate = new Map<string, Partial<Container>>();
  /** Tags that no registry has. */
  unavailable = new Set<string>();
  /** Further fields of the answer of `config`, by project. */
  configs = new Map<string, object>();
  /** Variables that `config` misses. */
  unset: string[] = [];
  /** Services that the file no longer has, and that are no orphans: a profile has switched them off. */
  kept = new Set<string>();
  /** The options of volumes by their name. An \`up\` makes those that are missing; all containers of a project have them. */
  volumesMade = new Map<string, Record<string, string>>();
  /** Ids of further containers that have every volume. */
  otherUsers: string[] = [];
  /** Volumes with data. */
  data = new MemoryVolumes('/nowhere');
  /** References of `pullImage`. */
  pulled: string[] = [];
  /** Networks that a `down` leaves. */
  usedNetworks: string[] = [];
  /** Ids of removed images. */
  removed: string[] = [];
  log = '';
  /** The time at which containers start. */
  now = () => 0;
  #count = 0;

  async observe(): Promise<Container[]> {
    this.#note('observe');
    return this.containers.map((container) => ({ ...container }));
  }

  async config(files: ComposeFiles, name: string | null): Promise<ComposeAnswer> {
    this.#note('config', name ?? undefined);
    const document = documentOf(files);
    const env = readEnvOf(files);
    const named = interpolate(document.name ?? '', env)
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9_-]/g, '');
    const project = name ?? (env.get('COMPOSE_PROJECT_NAME') || named || '');
    refuseName(project);
    const volumes = namedVolumes(files, project);
    const text = JSON.stringify({ ...document, volumes, name: project, ...this.configs.get(project) });
    const config = JSON.parse(text);
    const model = projectModel(config, files.directory, digestOf);
    const powers = rootPowers([config], env, files.directory);
    return { config, model, digest: digestOf(text), unset: this.unset, powers };
  }

  async up(project: ComposeProject, only?: readonly string[], { recreate = false, start = true } = {}): Promise<void> {
    this.#note(
      'up',
      [project.project, ...(recreate ? ['recreate'] : []), ...(start ? [] : ['no-start']), ...(only ?? [])].join(' '),
    );
    refuseName(project.project);
    const { services } = documentOf(project);
    for (const { name, driver_opts = {} } of Object.values(namedVolumes(project, project.project))) {
      if (!this.volumesMade.has(name)) this.volumesMade.set(name, driver_opts);
    }
    for (const [name, service] of Object.entries(services)) {
      if (only?.includes(name) ?? true) this.#converge(project, name, service, { recreate, start });
    }
    const isOrphan = (one: Container) => one.project === project.project && !(one.service in services);
    this.containers = this.containers.filter((one) => !isOrphan(one) || this.kept.has(one.service));
  }

  async down(project: ComposeProject): Promise<string[]> {
    this.#note('down', project.project);
    documentOf(project);
    this.#drop(project.project);
    return this.usedNetworks;
  }

  async stop(ids: readonly string[]): Promise<void> {
    this.#note('stop', this.#namesOf(ids));
    this.#refuseGone(ids);
    for (const one of this.containers) if (ids.includes(one.id)) one.state = 'exited';
  }

  async start(ids: readonly string[]): Promise<void> {
    this.#note('start', this.#namesOf(ids));
    this.#refuseGone(ids);
    for (const one of this.containers) if (ids.includes(one.id)) one.state = 'running';
  }

  #refuseGone(ids: readonly string[]): void {
    const gone = ids.find((id) => !this.containers.some((one) => one.id === id));
    if (gone !== undefined) throw new ContainersFailed(`No such container: ${gone}`, false);
  }

  async unpause(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) this.#note('unpause', this.#namesOf(ids));
    for (const one of this.containers) if (ids.includes(one.id)) one.state = 'running';
  }

  async downByName(project: string): Promise<void> {
    this.#note('downByName', project);
    this.#drop(project);
  }

  async pull(project: ComposeProject): Promise<void> {
    this.#note('pull', project.project);
    refuseName(project.project);
    for (const { image, build } of Object.values(documentOf(project).services)) {
      if (image !== undefined && build === undefined) this.#fetch(image);
    }
  }

  async build(project: ComposeProject): Promise<void> {
    this.#note('build', project.project);
  }

  async pullServices(project: ComposeProject, services: readonly string[]): Promise<void> {
    this.#note('pullServices', [project.project, ...services].join(' '));
    for (const [name, { image = '' }] of Object.entries(documentOf(project).services)) {
      if (services.includes(name)) this.#fetch(image);
    }
  }

  async logs(): Promise<string> {
    this.#note('logs');
    return this.log;
  }

  async imageIds(tags: readonly string[]): Promise<Map<string, string>> {
    this.#note('imageIds');
    const known = [...this.images].flatMap(([tag, id]) => [[tag, id] as const, [id, id] as const]);
    return new Map(known.filter(([reference]) => tags.includes(reference)));
  }

  async tag(imageId: string, tag: string): Promise<void> {
    this.#note('tag', tag);
    this.images.set(tag, imageId);
  }

  /** The images, as the daily removal of old ones sees them. */
  engineImages(): SpacePorts['images'] {
    return {
      tags: async (ids) => {
        this.calls.push('imageTags');
        const tagsOf = (id: string) => [...this.images].flatMap(([tag, one]) => (one === id ? [tag] : []));
        return new Map(ids.filter((id) => !this.removed.includes(id)).map((id) => [id, tagsOf(id)]));
      },
      remove: async (id) => {
        this.calls.push(`removeImage ${id}`);
        for (const [tag, one] of this.images) if (one === id) this.images.delete(tag);
        this.removed.push(id);
      },
    };
  }

  async volumes(project: string | null, names: readonly string[] = []): Promise<MadeVolume[]> {
    const failure = this.failing.get('volumes');
    if (failure !== undefined) throw failure;
    const found = [...this.volumesMade].filter(([name]) => names.includes(name));
    const inspected = found.map(([Name, Options]) => ({ Name, Driver: 'local', Options }));
    const made = parseVolumes(JSON.stringify(inspected), digestOf);
    const known = new Map(made.map((one) => [one.name, one]));
    const filled = (await this.data.of(project, names)).map((one) => {
      return { ...{ made: '', isElsewhere: false }, ...known.get(one.name), ...one };
    });
    return [...filled, ...made.filter(({ name }) => !filled.some((one) => one.name === name))];
  }

  makeVolume(name: string, labels: Readonly<Record<string, string>>, project: string): Promise<string> {
    return this.data.make(name, labels, project);
  }

  async imageDigests(ids: readonly string[]): Promise<Map<string, string[]>> {
    return new Map(ids.map((id) => [id, [`registry/web@${id}`]]));
  }

  async pullImage(reference: string): Promise<void> {
    this.pulled.push(reference);
  }

  async usersOf(volume: string): Promise<string[]> {
    const own = this.containers.filter(({ project }) => volume.startsWith(`${project}_`));
    return [...own.map(({ id }) => id), ...this.otherUsers];
  }

  async removeVolume(name: string): Promise<void> {
    this.#note('removeVolume', name);
    this.volumesMade.delete(name);
  }

  async removeContainers(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.#note('removeContainers');
    this.containers = this.containers.filter(({ id }) => !ids.includes(id));
  }

  /** Makes each further call of a verb fail with an error of the engine. */
  fail(verb: Verb, message: string, unreachable = false): void {
    this.failing.set(verb, new ContainersFailed(message, unreachable));
  }

  #note(verb: Verb, of?: string): void {
    this.calls.push(of === undefined ? verb : `${verb} ${of}`);
    const failure = this.failing.get(verb);
    if (failure !== undefined) throw failure;
  }

  #namesOf(ids: readonly string[]): string {
    return ids.map((id) => this.containers.find((one) => one.id === id)?.name ?? id).join(' ');
  }

  #drop(project: string): void {
    this.containers = this.containers.filter((container) => container.project !== project);
  }

  #fetch(tag: string): void {
    if (this.unavailable.has(tag)) throw new ContainersFailed(`pull access denied for ${tag}`, false);
    this.images.set(tag, this.#remoteId(tag));
  }

  #remoteId(tag: string): string {
    return this.registry.get(tag) ?? `sha256:${tag}`;
  }

  #converge(
    project: ComposeProject,
    service: string,
    { image = '', restart = 'no' }: Service,
    { recreate, start }: { recreate: boolean; start: boolean },
  ): void {
    if (!this.images.has(image)) this.#fetch(image);
    const imageId = this.images.get(image) as string;
    const name = `${project.project}-${service}-1`;
    const config = configOf(project);
    const before = this.containers.find((container) => container.name === name);
    const isSame = before?.config === config && before.imageId === imageId && !recreate;
    if (isSame && (before.state === 'running' || !start)) return;
    this.#count += 1;
    const started = !start
      ? { state: 'created', exitCode: 0, startedAt: null }
      : { state: 'running', exitCode: 0, startedAt: this.now() + this.#count, ...this.fate.get(imageId) };
    if (isSame) {
      Object.assign(before, started);
      return;
    }
    const made: MadeContainer = {
      id: `container${this.#count}`,
      name,
      project: project.project,
      service,
      workingDirectory: project.directory,
      oneOff: false,
      needs: [],
      networkOf: null,
      reason: '',
      health: null,
      startPeriodMs: 0,
      stopPeriodMs: 10_000,
      restarts: !['no', 'on-failure'].includes(restart),
      restartCount: 0,
      createdAt: this.now(),
      finishedAt: null,
      published: [],
      mounts: this.mounts.get(name) ?? [],
      isOnHostNetwork: false,
      imageId,
      image,
      config,
      ...started,
    };
    this.containers = [...this.containers.filter((container) => container !== before), made];
  }
}

function refuseName(project: string): void {
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(project)) throw new ContainersFailed(`invalid project name "${project}"`, false);
}

function documentOf(of: ComposeFiles): Document {
  const read = of.files.map((file) => parse(readFileSync(file, 'utf8')) as Document);
  if (read.some((document) => typeof document?.services !== 'object')) {
    throw new ContainersFailed('services must be a mapping', false);
  }
  const env = readEnvOf(of);
  const services: Record<string, Service> = Object.assign({}, ...read.map((document) => document.services));
  const filled = Object.entries(services).map(([name, service]) => {
    const image = service.image === undefined ? {} : { image: interpolate(service.image, env) ?? '' };
    return [name, { ...service, ...image, ...portsOf(service, env), ...volumesOf(service, of.directory) }];
  });
  const document = Object.assign({}, ...read);
  const definitions = ['configs', 'secrets'].map((key) => [key, withFiles(document[key], of.directory)]);
  return { ...document, ...Object.fromEntries(definitions), services: Object.fromEntries(filled) };
}

/** Configs or secrets with the absolute path of their file. */
function withFiles(definitions: Definitions, directory: string): object {
  const found = Object.entries(definitions ?? {}).map(([key, one]) => [
    key,
    one.file === undefined ? one : { ...one, file: resolve(directory, one.file) },
  ]);
  return Object.fromEntries(found);
}

type NamedVolume = { name: string; driver_opts?: Record<string, string> };

/** The volumes of the first file, as Compose prints them. */
function namedVolumes(files: ComposeFiles, project: string): Record<string, NamedVolume> {
  const { volumes } = parse(readFileSync(files.files[0] ?? '', 'utf8')) as { volumes?: Record<string, object | null> };
  const named = Object.entries(volumes ?? {}).map(([key, one]) => [key, { name: `${project}_${key}`, ...one }]);
  return Object.fromEntries(named);
}

/** Mounts of the app's files as Compose prints them, in the short form `./FILE:TARGET` or the long one. */
function volumesOf({ volumes }: Service, directory: string): object {
  if (!Array.isArray(volumes)) return {};
  const mounts = volumes.map((mount) => (typeof mount === 'object' ? mount : { source: `${mount}`.split(':')[0] }));
  return {
    volumes: mounts.map((mount) => ({ type: 'bind', ...mount, source: resolve(directory, mount.source ?? '') })),
  };
}

/** `ports` in the short form `HOST:TARGET` as Compose prints it. */
function portsOf({ ports }: Service, env: ReadonlyMap<string, string>): object {
  if (!Array.isArray(ports)) return {};
  const long = ports.map((port) => {
    const text = interpolate(`${port}`, env) ?? '';
    const [, host_ip, published, target, protocol = 'tcp'] = /^(?:(.+):)?(\d*):(\d+)(?:\/(\w+))?$/.exec(text) ?? [];
    if (target === undefined || Number(published) > 65_535) {
      throw new ContainersFailed(`Invalid hostPort: ${text.split(':')[0]}`, false);
    }
    return { host_ip, published, target: Number(target), protocol };
  });
  return { ports: long };
}

function readEnvOf({ envFile }: ComposeFiles): ReadonlyMap<string, string> {
  return readDotenv(envFile === null ? '' : readFileSync(envFile, 'utf8'));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function configOf({ files, envFile }: ComposeProject): string {
  const hash = createHash('sha256');
  for (const file of [...files, ...(envFile === null ? [] : [envFile])]) hash.update(readFileSync(file));
  return hash.digest('hex');
}
