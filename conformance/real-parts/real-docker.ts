import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppFiles, plainCompose } from '../../fakes/app-files.ts';
import type { ContainerView, Docker } from '../../fakes/docker-view.ts';
import type { DockerPart } from '../../fakes/world.ts';
import { NotApplicable } from '../check.ts';
import type { DockerClient } from './docker-client.ts';
import { recordedCalls, recordingLauncher } from './recorder.ts';
import { type PullFault, type Registry, startRegistry } from './registry.ts';
import { startRelay } from './relay.ts';

/**
 * A real engine in the place of the stand-in: one that worlds use one after the other. Whatever a world makes there
 * has the label of its images or belongs to a project of its apps, and goes with it; what was there before stays, and
 * a check whose app would be in a project of it is not applicable.
 *
 * Images have names below a registry of the world (`registry.ts`). The engine is reached through a socket of the world
 * (`relay.ts`), to which the Docker settings in its home lead, so that it can be taken away without being stopped.
 */
export const label = 'boxgate.conformance';
const project = 'com.docker.compose.project';
/** Where checks say that their images are. */
const shownHost = 'registry.example';

export async function realDocker(root: string, client: DockerClient): Promise<DockerPart> {
  const id = randomBytes(6).toString('hex');
  const registry = await startRegistry({ architecture: client.architecture, labels: { [label]: id } });
  const socket = join(root, 'docker.sock');
  const relay = await startRelay(socket, client.endpoint);
  writeClientSettings(join(root, 'home', '.docker'), socket, client.pluginFolders);
  const strangers = new Set(await projectsOf(client));
  const own = new Set<string>();
  const calls = join(root, 'docker-calls');
  const names = {
    pulled: (text: string) => text.replaceAll(`${shownHost}/`, `${registry.host}/`),
    shown: (text: string) => text.replaceAll(`${registry.host}/`, `${shownHost}/`),
  };
  const adapt = (app: AppFiles): AppFiles => {
    const adapted = withPulledNames(app, names.pulled);
    for (const name of projectsOfApp(adapted)) {
      if (strangers.has(name)) throw new NotApplicable(`the engine has a project ${name} already`);
      own.add(name);
    }
    return adapted;
  };
  const things = makeThings(client, id, own);
  let disposed: Promise<void> | null = null;
  return {
    docker: makeView({ client, registry, relay, things, names, calls }),
    launcher: recordingLauncher(client.program, calls),
    adapt,
    composeText: names.pulled,
    dispose: () => {
      disposed ??= (async () => {
        // Nothing can be begun from here on.
        await relay.stop();
        await things.remove();
        await registry.close();
      })();
      return disposed;
    },
  };
}

type Names = { pulled: (text: string) => string; shown: (text: string) => string };
type Things = ReturnType<typeof makeThings>;
type ViewParts = {
  client: DockerClient;
  registry: Registry;
  relay: Awaited<ReturnType<typeof startRelay>>;
  things: Things;
  names: Names;
  calls: string;
};

function makeView({ client, registry, relay, things, names, calls }: ViewParts): Docker {
  const { lines } = client;
  const containers = async () => (await things.containers()).map((one) => viewOf(one, names.shown));
  return {
    containers,
    project: async (name) => {
      const found = (await containers()).filter((one) => one.project === name);
      return Object.fromEntries(found.map((one) => [one.service, one]));
    },
    imageId: async (reference) => {
      const [id = null] = await lines('image', 'ls', '-q', '--no-trunc', names.pulled(reference));
      return id;
    },
    advance: async (reference) => registry.advance(inRegistry(reference)),
    behave: async (image, does, generation) => {
      if (does !== 'never-start') throw new NotApplicable(`needs a stand-in: an image that is to ${does}`);
      registry.behave(inRegistry(image), does, generation);
    },
    fail: async ({ on, match, times, kind }) =>
      registry.addFault(pullFault({ on, match, times }, doesOf(kind))),
    hang: async ({ on, match, times, ms }) => {
      if (ms === undefined) throw new NotApplicable('needs a stand-in: a container tool that never ends');
      registry.addFault(pullFault({ on, match, times }, { waitMs: ms }));
    },
    faultsFired: async () => registry.faultsFired(),
    clearFaults: async () => registry.clearFaults(),
    setRunning: (running) => (running ? relay.start() : relay.stop()),
    pull: async (reference) => void (await lines('pull', '-q', names.pulled(reference))),
    stop: async (container) => void (await lines('stop', '-t', '0', container)),
    removeContainer: async (container) => void (await lines('rm', '-f', '-v', container)),
    volumes: () => things.named('volume'),
    networks: () => things.named('network'),
    calls: () => recordedCalls(calls),
  };
}

const inRegistry = (reference: string) => reference.replace(`${shownHost}/`, '');

type Wish = { on: string; match?: string | undefined; times?: number | undefined };

/** Between a real tool and a real engine nothing can be scripted; what a registry does to them can. */
function pullFault({ on, match, times }: Wish, does: PullFault['does']): PullFault {
  if (on !== 'pull') throw new NotApplicable(`needs a stand-in: a fault at ${on} by script`);
  return {
    does,
    ...(match === undefined ? {} : { match: inRegistry(match) }),
    ...(times === undefined ? {} : { times }),
  };
}

function doesOf(kind: string | undefined): PullFault['does'] {
  if (kind === undefined || kind === 'not-found') return 'refuse';
  if (kind === 'rate-limit') return 'rate-limit';
  if (kind === 'network') return 'break-off';
  throw new NotApplicable(`needs a stand-in: ${kind} by script`);
}

type Inspected = {
  Id: string;
  Name: string;
  Image: string;
  Config: { Image: string; Labels: Record<string, string>; Env: string[] | null };
  State: { Running: boolean; StartedAt: string };
};

/** What a world has on the engine. */
function makeThings({ lines }: DockerClient, id: string, own: ReadonlySet<string>) {
  const ids = () => lines('ps', '-aq', '--no-trunc', '--filter', `label=${label}=${id}`);
  const containers = async (): Promise<Inspected[]> => {
    const found = await ids();
    if (found.length === 0) return [];
    try {
      return JSON.parse((await lines('inspect', '--type', 'container', ...found)).join('\n'));
    } catch (error) {
      // One of them was removed in between: they are looked for again.
      if (/no such container/i.test((error as Error).message)) return containers();
      throw error;
    }
  };
  const named = async (kind: 'volume' | 'network') => {
    const all = await lines(
      kind,
      'ls',
      '--filter',
      `label=${project}`,
      '--format',
      `{{.Name}} {{.Label "${project}"}}`,
    );
    return all.flatMap((line) => {
      const [name = '', of = ''] = line.split(' ');
      return own.has(of) ? [name] : [];
    });
  };
  const remove = async () => {
    for (let left = await ids(); left.length > 0; left = await ids()) await lines('rm', '-f', '-v', ...left);
    for (const kind of ['network', 'volume'] as const) {
      const left = await named(kind);
      if (left.length > 0) await lines(kind, 'rm', ...left);
    }
    const images = new Set(
      await lines('image', 'ls', '-aq', '--no-trunc', '--filter', `label=${label}=${id}`),
    );
    if (images.size > 0) await lines('image', 'rm', '-f', ...images);
  };
  return { containers, named, remove };
}

function viewOf({ Id, Name, Image, Config, State }: Inspected, shown: Names['shown']): ContainerView {
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    project: Config.Labels[project] ?? '',
    service: Config.Labels['com.docker.compose.service'] ?? '',
    image: shown(Config.Image),
    imageId: Image,
    running: State.Running,
    startedAt: Date.parse(State.StartedAt),
    env: Object.fromEntries(
      (Config.Env ?? []).map((entry) => {
        const equals = entry.indexOf('=');
        return [entry.slice(0, equals), entry.slice(equals + 1)];
      }),
    ),
  };
}

/** The projects that the engine has anything of. */
async function projectsOf({ lines }: DockerClient): Promise<string[]> {
  const format = ['--filter', `label=${project}`, '--format', `{{.Label "${project}"}}`];
  const found = await Promise.all([
    lines('ps', '-a', ...format),
    lines('network', 'ls', ...format),
    lines('volume', 'ls', ...format),
  ]);
  return found.flat();
}

/** The projects that Compose may put an app into. */
function projectsOfApp({ name, env, envExample, files = {}, compose }: AppFiles): string[] {
  const texts = [env, envExample, compose, ...Object.values(files)].map(String);
  const chosen = texts.flatMap((text) => [
    ...text.matchAll(/^(?:name:|COMPOSE_PROJECT_NAME=)\s*["']?([a-z0-9][a-z0-9_-]*)/gm),
  ]);
  return [name.toLowerCase(), ...chosen.map(([, found = '']) => found)];
}

function withPulledNames(app: AppFiles, pulled: Names['pulled']): AppFiles {
  const files = Object.entries(app.files ?? {}).map(([name, content]) => [
    name,
    typeof content === 'string' ? pulled(content) : content,
  ]);
  const compose = app.compose === undefined ? plainCompose(app.name, app) : app.compose;
  return {
    ...app,
    compose: compose === null ? null : pulled(compose),
    ...(app.files === undefined ? {} : { files: Object.fromEntries(files) }),
  };
}

/** Leads a client with this home to the socket, and to the plugins that the operator has. */
function writeClientSettings(folder: string, socket: string, pluginFolders: string[]): void {
  const name = 'world';
  const meta = join(folder, 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
  mkdirSync(meta, { recursive: true });
  const settings = { currentContext: name, cliPluginsExtraDirs: pluginFolders };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  const endpoint = { Host: `unix://${socket}`, SkipTLSVerify: false };
  const context = { Name: name, Metadata: {}, Endpoints: { docker: endpoint } };
  writeFileSync(join(meta, 'meta.json'), JSON.stringify(context));
}
