import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ComposeProject, Containers } from '../ports.ts';
import { ContainersFailed } from '../ports.ts';
import { interpolate } from '../rules/compose/interpolate.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import type { Container } from '../rules/reconcile/container.ts';

type Service = { image?: string; restart?: string; build?: unknown };
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
  /** State of a new container by image id; running by default. */
  fate = new Map<string, Partial<Container>>();
  /** Tags that no registry has. */
  unavailable = new Set<string>();
  /** Answers of `config` by project; it fails without one. */
  configs = new Map<string, unknown>();
  log = '';
  /** The time at which containers start. */
  now = () => 0;
  #count = 0;

  async observe(): Promise<Container[]> {
    this.#note('observe');
    return this.containers.map((container) => ({ ...container }));
  }

  async config({ project }: ComposeProject): Promise<unknown> {
    this.#note('config', project);
    const config = this.configs.get(project);
    if (config === undefined) throw new ContainersFailed(`unknown command: docker compose config`, false);
    return config;
  }

  async up(project: ComposeProject, only?: readonly string[]): Promise<void> {
    this.#note('up', [project.project, ...(only ?? [])].join(' '));
    const services = servicesOf(project);
    for (const [name, service] of Object.entries(services)) {
      if (only?.includes(name) ?? true) this.#converge(project, name, service);
    }
    this.containers = this.containers.filter((one) => one.project !== project.project || one.service in services);
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

  #converge(project: ComposeProject, service: string, { image = '', restart = 'no' }: Service): void {
    if (!this.images.has(image)) this.#fetch(image);
    const imageId = this.images.get(image) as string;
    const name = `${project.project}-${service}-1`;
    const config = configOf(project);
    const before = this.containers.find((container) => container.name === name);
    const isSame = before?.config === config && before.imageId === imageId;
    if (isSame && before.state === 'running') return;
    this.#count += 1;
    const started = { state: 'running', exitCode: 0, startedAt: this.now() + this.#count, ...this.fate.get(imageId) };
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
      reason: '',
      health: null,
      startPeriodMs: 0,
      restarts: !['no', 'on-failure'].includes(restart),
      restartCount: 0,
      createdAt: this.now(),
      finishedAt: null,
      published: [],
      isOnHostNetwork: false,
      imageId,
      image,
      config,
      ...started,
    };
    this.containers = [...this.containers.filter((container) => container !== before), made];
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
