import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AppFiles } from '../../fakes/app-files.ts';
import type { Docker } from '../../fakes/docker-view.ts';
import type { DockerPart } from '../../fakes/fake-parts.ts';
import { NotApplicable } from '../kernel/check.ts';
import { projectsOfApp, withPulledNames } from './apps-on-engine.ts';
import { writeClientSettings } from './client-settings.ts';
import type { DockerClient } from './docker-client.ts';
import { type EngineObjects, engineObjects, environmentLabel, projectsOf, viewOf } from './engine-objects.ts';
import { recordedCalls, recordingLauncher } from './recorder.ts';
import { type PullFault, type Registry, startRegistry } from './registry.ts';
import { startRelay } from './relay.ts';

/**
 * Puts a real engine in the place of the fake. Environments use it one at a time. Everything that an environment makes
 * there has its label or belongs to one of its projects, and is removed with it. Earlier objects stay. A check whose
 * app has the name of an existing project is not applicable. Images come from a registry of the environment
 * (`registry.ts`). The client reaches the engine through a socket of the environment (`relay.ts`), so that the engine
 * can become unreachable without being stopped.
 */
export async function realDocker(root: string, client: DockerClient): Promise<DockerPart> {
  const id = randomBytes(6).toString('hex');
  const registry = await startRegistry({ architecture: client.architecture, labels: { [environmentLabel]: id } });
  const socket = join(root, 'docker.sock');
  const relay = await startRelay(socket, client.endpoint);
  writeClientSettings(join(root, 'home', '.docker'), socket, client.pluginFolders);
  const strangers = new Set(await projectsOf(client));
  const own = new Set<string>();
  const calls = join(root, 'docker-calls');
  const names = {
    pulled: (text: string) => text.replaceAll(shownRegistry, `${registry.host}/`),
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
  const things = engineObjects(client, id, own, strangers);
  let disposed: Promise<void> | null = null;
  return {
    docker: makeView({ client, registry, relay, things, names, calls }),
    launcher: recordingLauncher(client.program, calls),
    adapt,
    composeText: names.pulled,
    dispose: () => {
      disposed ??= (async () => {
        // No further command reaches the engine, and the pulls that are under way end.
        await Promise.all([relay.drain(), registry.close()]);
        await things.remove();
      })();
      return disposed;
    },
  };
}

/** The registry name in the images of the checks, which is replaced by the real registry's address. */
const shownHost = 'registry.example';
const shownRegistry = /registry\.example(?::\d+)?\//g;

type Names = { pulled: (text: string) => string; shown: (text: string) => string };
type ViewParts = {
  client: DockerClient;
  registry: Registry;
  relay: Awaited<ReturnType<typeof startRelay>>;
  things: EngineObjects;
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
      if (does !== 'never-start') throw new NotApplicable(`needs a fake: an image that is to ${does}`);
      registry.behave(inRegistry(image), does, generation);
    },
    fail: async ({ on, match, times, kind }) => registry.addFault(pullFault({ on, match, times }, doesOf(kind))),
    hang: async ({ on, match, times, ms }) => {
      if (ms === undefined) throw new NotApplicable('needs a fake: a container tool that never ends');
      registry.addFault(pullFault({ on, match, times }, { waitMs: ms }));
    },
    faultsFired: async () => registry.faultsFired(),
    clearFaults: async () => registry.clearFaults(),
    setRunning: (running) => (running ? relay.start() : relay.stop()),
    pull: async (reference) => void (await lines('pull', '-q', names.pulled(reference))),
    stop: async (container) => void (await lines('stop', '-t', '0', container)),
    stopEngine: notApplicable('an engine that can be stopped'),
    finish: notApplicable('a program that ends by itself when it is told to'),
    exit: notApplicable('a program that exits when it is told to'),
    setHealth: notApplicable('a health check that can be told what to say'),
    crash: notApplicable('an image that exits by script'),
    removeContainer: async (container) => void (await lines('rm', '-f', '-v', container)),
    volumes: () => things.named('volume'),
    networks: () => things.named('network'),
    calls: () => recordedCalls(calls),
  };
}

const notApplicable = (what: string) => async () => {
  throw new NotApplicable(`needs a fake: ${what}`);
};

const inRegistry = (reference: string) => reference.replaceAll(shownRegistry, '');

type Wish = { on: string; match?: string | undefined; times?: number | undefined };

/** Faults of a real client and engine cannot be scripted, but those of the registry can. */
function pullFault({ on, match, times }: Wish, does: PullFault['does']): PullFault {
  if (on !== 'pull') throw new NotApplicable(`needs a fake: a fault at ${on} by script`);
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
  throw new NotApplicable(`needs a fake: ${kind} by script`);
}
