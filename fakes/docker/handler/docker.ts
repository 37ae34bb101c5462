import { Failure, unknown } from '../model/failure.ts';
import { versions } from '../model/state.ts';
import type { Call } from './call.ts';
import { listContainers } from './ps.ts';
import { readFlags } from './views/flags.ts';

/** Verbs of `docker container …` that are also top-level commands. */
const containerVerbs = ['start', 'stop', 'kill', 'restart', 'pause', 'unpause'] as const;

type Run = (call: Call, argv: readonly string[]) => Promise<void>;

const globalFlags =
  'H/host= c/context= D/debug config= l/log-level= tls tlsverify tlscacert= tlscert= tlskey= v/version help';

/** Runs one command line and returns its exit status. Only `docker ps`, the most frequent call, is loaded eagerly. */
export async function runDocker(call: Call): Promise<number> {
  try {
    const flags = readFlags('docker', globalFlags, call.argv, true);
    const host = flags.text('host');
    const inner: Call = host ? { ...call, env: { ...call.env, DOCKER_HOST: host } } : call;
    if (flags.has('version')) call.out(`Docker version ${versions.engine}, build fake\n`);
    else await runCommand(inner, flags.rest);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.message) call.err(`${error.message}\n`);
    return error.status;
  }
}

async function runCommand(call: Call, words: readonly string[]): Promise<void> {
  const [command = '', ...argv] = words;
  if (command === 'ps') return listContainers(call, argv);
  if (command === 'compose') return (await import('../compose/compose.ts')).runCompose(call, argv);
  const run = (await topLevel(command)) ?? (await grouped(command, argv[0] ?? ''));
  if (!run) throw unknown(`the command "${[command, ...argv.slice(0, 1)].join(' ').trim()}"`);
  await run.act(call, argv.slice(run.words - 1));
}

type Found = { act: Run; words: number } | null;

async function topLevel(command: string): Promise<Found> {
  const one = (act: Run): Found => ({ act, words: 1 });
  if (command === 'inspect') return one(await inspectOf(null));
  if (isContainerVerb(command)) return one(await containerAct(command));
  if (command === 'rm') return one((await import('./containers.ts')).removeContainers);
  if (command === 'events') return one((await import('./events.ts')).followEvents);
  if (command === 'logs') return one((await import('./logs.ts')).logs);
  if (command === 'version') return one((await import('./version.ts')).version);
  if (command === 'info') return one((await import('./version.ts')).info);
  const verb = { images: 'ls', pull: 'pull', tag: 'tag', rmi: 'rm' }[command];
  return verb ? one(await imageAct(verb)) : null;
}

async function grouped(command: string, verb: string): Promise<Found> {
  const act = await groupedAct(command, verb === 'list' ? 'ls' : verb === 'remove' ? 'rm' : verb);
  return act && { act, words: 2 };
}

async function groupedAct(command: string, verb: string): Promise<Run | null> {
  const isObject = command === 'container' || command === 'image' || command === 'network' || command === 'volume';
  if (isObject && verb === 'inspect') return inspectOf(command);
  if (command === 'container') return containerGroup(verb);
  if (command === 'image') return ['ls', 'pull', 'tag', 'rm', 'prune'].includes(verb) ? imageAct(verb) : null;
  if (command === 'network' || command === 'volume') {
    const group = await import('./networks.ts');
    return (call, argv) => group[`${command}s`](call, verb, argv);
  }
  if (command === 'context' && verb === 'ls') return listContexts;
  if (command === 'system' && verb === 'info') return (await import('./version.ts')).info;
  return null;
}

async function containerGroup(verb: string): Promise<Run | null> {
  if (verb === 'ls' || verb === 'ps') return listContainers;
  if (verb === 'logs') return (await import('./logs.ts')).logs;
  if (verb === 'rm') return (await import('./containers.ts')).removeContainers;
  return isContainerVerb(verb) ? containerAct(verb) : null;
}

function isContainerVerb(verb: string): verb is (typeof containerVerbs)[number] {
  return (containerVerbs as readonly string[]).includes(verb);
}

async function containerAct(verb: (typeof containerVerbs)[number]): Promise<Run> {
  const { actOnContainers } = await import('./containers.ts');
  return (call, argv) => actOnContainers(call, argv, verb);
}

async function imageAct(verb: string): Promise<Run> {
  const images = await import('./images.ts');
  const acts: Record<string, Run> = {
    ls: images.listImages,
    pull: images.pull,
    tag: images.tag,
    rm: images.removeImages,
    prune: images.pruneImages,
  };
  return acts[verb] ?? images.listImages;
}

async function inspectOf(kind: 'container' | 'image' | 'network' | 'volume' | null): Promise<Run> {
  const { inspect } = await import('./inspect.ts');
  return (call, argv) => inspect(call, argv, kind);
}

const listContexts: Run = async (call) => {
  call.out('NAME        DESCRIPTION                               DOCKER ENDPOINT               ERROR\n');
  call.out('default *   Current DOCKER_HOST based configuration   unix:///var/run/docker.sock   \n');
};
