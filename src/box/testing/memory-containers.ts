import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { EngineContainer } from '../known-apps.ts';
import type { ComposeProject, ContainerState, Containers } from '../ports.ts';
import { ContainersFailed } from '../ports.ts';
import { interpolate } from '../rules/compose/interpolate.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';

type Service = { image?: string; restart?: string; build?: unknown };
type Container = ContainerState & { imageId: string; tag: string; config: string; restarts: number };
type Verb = keyof Containers;

/**
 * A fake engine in memory with a minimal Compose: it creates, starts and recreates changed containers, and prints
 * Compose's progress. Tests assign its state directly; `failing` makes a verb fail.
 */
export class MemoryContainers implements Containers {
  containers: Container[] = [];
  /** Local image ids by tag; a tag that is missing is pulled. */
  images = new Map<string, string>();
  /** Image ids in the registry by tag. The id of a missing tag is derived from its name. */
  registry = new Map<string, string>();
  calls: string[] = [];
  failing = new Map<Verb, ContainersFailed>();
  /** State of a new container by image id; running by default. */
  fate = new Map<string, Partial<ContainerState> & { restarts?: number }>();
  /** Further properties of a container in `inspectAll`, by name. */
  details = new Map<string, Partial<EngineContainer>>();
  /** Tags that no registry has. */
  unavailable = new Set<string>();
  /** Answers of `config` by project; it fails without one. */
  configs = new Map<string, unknown>();
  log = '';
  /** Whether `up` prints nothing. */
  quiet = false;
  #count = 0;

  async list(): Promise<ContainerState[]> {
    this.#note('list');
    return this.containers.map((container) => ({ ...container }));
  }

  async inspectAll(): Promise<EngineContainer[]> {
    this.#note('inspectAll');
    return this.containers.map(({ restarts, ...container }) => ({
      ...container,
      reason: '',
      restarts: true,
      restartCount: restarts,
      createdAt: 0,
      startedAt: null,
      finishedAt: null,
      published: [],
      isOnHostNetwork: false,
      exitCode: container.exitCode ?? 0,
      ...this.details.get(container.name),
    }));
  }

  async config({ project }: ComposeProject): Promise<unknown> {
    this.#note('config', project);
    const config = this.configs.get(project);
    if (config === undefined) throw new ContainersFailed(`unknown command: docker compose config`, false);
    return config;
  }

  async up(project: ComposeProject, only?: readonly string[]): Promise<string> {
    this.#note('up', [project.project, ...(only ?? [])].join(' '));
    const services = servicesOf(project);
    const lines = Object.entries(services)
      .filter(([name]) => only?.includes(name) ?? true)
      .map(([name, service]) => this.#converge(project, name, service));
    for (const orphan of this.#own(project.project).filter(({ service }) => !(service in services))) {
      this.containers = this.containers.filter((one) => one !== orphan);
      lines.push(` Container ${orphan.name}  Removed`);
    }
    return this.quiet ? '' : lines.join('\n');
  }

  async down(project: ComposeProject): Promise<void> {
    this.#note('down', project.project);
    servicesOf(project);
    this.#drop(project.project);
  }

  async downByName(project: string): Promise<void> {
    this.#note('downByName', project);
    this.#drop(project);
  }

  async pull(project: ComposeProject): Promise<void> {
    this.#note('pull', project.project);
    for (const { image, build } of Object.values(servicesOf(project))) {
      if (image !== undefined && build === undefined) this.#fetch(image);
    }
  }

  async build(project: ComposeProject): Promise<void> {
    this.#note('build', project.project);
  }

  async pullServices(project: ComposeProject, services: readonly string[]): Promise<void> {
    this.#note('pullServices', [project.project, ...services].join(' '));
    for (const [name, { image = '' }] of Object.entries(servicesOf(project))) {
      if (services.includes(name)) this.#fetch(image);
    }
  }

  async logs(): Promise<string> {
    this.#note('logs');
    return this.log;
  }

  async serviceContainers({ project }: ComposeProject, wanted: string): Promise<string[]> {
    this.#note('serviceContainers', wanted);
    return this.#own(project)
      .filter(({ service }) => service === wanted)
      .map(({ id }) => id);
  }

  async inspect(asked: readonly string[]) {
    this.#note('inspect');
    const found = asked.map((one) => this.containers.find(({ id, name }) => id === one || name === one));
    return found.map((container) => {
      if (container === undefined) throw new ContainersFailed('no such container', false);
      return { ...container };
    });
  }

  async imageIds(tags: readonly string[]): Promise<Map<string, string>> {
    this.#note('imageIds');
    return new Map([...this.images].filter(([tag]) => tags.includes(tag)));
  }

  async tag(imageId: string, tag: string): Promise<void> {
    this.#note('tag', tag);
    this.images.set(tag, imageId);
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

  #own(project: string): Container[] {
    return this.containers.filter((container) => container.project === project);
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

  #converge(project: ComposeProject, service: string, { image = '' }: Service): string {
    if (!this.images.has(image)) this.#fetch(image);
    const imageId = this.images.get(image) as string;
    const name = `${project.project}-${service}-1`;
    const config = configOf(project);
    const before = this.containers.find((container) => container.name === name);
    if (before?.config === config && before.imageId === imageId) return this.#start(before);
    this.#count += 1;
    const made: Container = {
      id: `container${this.#count}`,
      name,
      project: project.project,
      service,
      workingDirectory: project.directory,
      state: 'running',
      exitCode: null,
      health: null,
      oneOff: false,
      published: [],
      imageId,
      tag: image,
      config,
      restarts: 0,
      ...this.fate.get(imageId),
    };
    this.containers = [...this.containers.filter((container) => container !== before), made];
    return ` Container ${name}  ${before === undefined ? 'Created' : 'Recreated'}\n Container ${name}  Started`;
  }

  #start(container: Container): string {
    if (container.state === 'running') return ` Container ${container.name}  Running`;
    Object.assign(container, { state: 'running', exitCode: null, ...this.fate.get(container.imageId) });
    return ` Container ${container.name}  Created\n Container ${container.name}  Started`;
  }
}

function servicesOf({ files, project, envFile }: ComposeProject): Record<string, Service> {
  const read = files.map((file) => parse(readFileSync(file, 'utf8')) as { services?: Record<string, Service> });
  if (read.some((document) => typeof document?.services !== 'object')) {
    throw new ContainersFailed(`${project}: services must be a mapping`, false);
  }
  const env = readDotenv(envFile === null ? '' : readFileSync(envFile, 'utf8'));
  const services: Record<string, Service> = Object.assign({}, ...read.map((document) => document.services));
  const filled = Object.entries(services).map(([name, service]) => [
    name,
    { ...service, image: interpolate(service.image ?? '', env) ?? '' },
  ]);
  return Object.fromEntries(filled);
}

function configOf({ files, envFile }: ComposeProject): string {
  const hash = createHash('sha256');
  for (const file of [...files, ...(envFile === null ? [] : [envFile])]) hash.update(readFileSync(file));
  return hash.digest('hex');
}
