import { Failure, unknown } from '../model/failure.ts';
import { versions } from '../model/state.ts';
import type { Call } from './call.ts';
import type { Verb } from './containers.ts';
import type { Kind } from './inspect.ts';
import { listContainers } from './ps.ts';
import { readFlags } from './views/flags.ts';

type Run = (call: Call, argv: readonly string[]) => Promise<void>;
type Commands = Readonly<Record<string, () => Promise<Run>>>;

const act =
  (verb: Verb): (() => Promise<Run>) =>
  async () => {
    const { actOnContainers } = await import('./containers.ts');
    return (call, argv) => actOnContainers(call, argv, verb);
  };
const inspectOf =
  (kind: Kind | null): (() => Promise<Run>) =>
  async () => {
    const { inspect } = await import('./inspect.ts');
    return (call, argv) => inspect(call, argv, kind);
  };

/** Commands on containers, with and without the word `container`. */
const ofContainers: Commands = {
  start: act('start'),
  stop: act('stop'),
  kill: act('kill'),
  restart: act('restart'),
  rm: async () => (await import('./containers.ts')).removeContainers,
  logs: async () => (await import('./logs.ts')).logs,
  stats: async () => (await import('./stats.ts')).stats,
};
const ofImages: Commands = {
  pull: async () => (await import('./images.ts')).pull,
  tag: async () => (await import('./images.ts')).tag,
};
const listImages = async () => (await import('./images.ts')).listImages;
const commands: Commands = {
  ...ofContainers,
  ...ofImages,
  inspect: inspectOf(null),
  images: listImages,
  rmi: async () => (await import('./images.ts')).removeImages,
  events: async () => (await import('./events.ts')).followEvents,
  version: async () => (await import('./version.ts')).version,
  info: async () => (await import('./version.ts')).info,
};
const groups: Readonly<Record<string, Commands>> = {
  container: {
    ...ofContainers,
    inspect: inspectOf('container'),
    ls: async () => listContainers,
    list: async () => listContainers,
    ps: async () => listContainers,
  },
  image: { ...ofImages, inspect: inspectOf('image'), ls: listImages, list: listImages },
  volume: { inspect: inspectOf('volume') },
  system: { df: async () => (await import('./system.ts')).diskUsage },
};

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
  const group = Object.hasOwn(groups, command) ? groups[command] : undefined;
  const [known, name, rest] = group ? [group, argv[0] ?? '', argv.slice(1)] : [commands, command, argv];
  const load = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!load) throw unknown(`the command "${[command, ...argv.slice(0, 1)].join(' ').trim()}"`);
  await (await load())(call, rest);
}
