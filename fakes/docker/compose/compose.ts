import type { Call } from '../handler/call.ts';
import { readFlags } from '../handler/views/flags.ts';
import { unknown } from '../model/failure.ts';
import { versions } from '../model/state.ts';
import type { Compose } from './context.ts';

type Command = (compose: Compose) => Promise<void>;

const globalForm =
  'p/project-name= f/file* env-file* project-directory= workdir= profile* ansi= progress= parallel= compatibility dry-run all-resources verbose v/version';

const commands: Record<string, () => Promise<Command>> = {
  up: async () => (await import('./up.ts')).up,
  create: async () => (await import('./up.ts')).create,
  down: async () => (await import('./down.ts')).down,
  pull: async () => (await import('./pull.ts')).pull,
  ps: async () => (await import('./list.ts')).listContainers,
  images: async () => (await import('./list.ts')).listImages,
  ls: async () => (await import('./list.ts')).listProjects,
  config: async () => (await import('./config.ts')).config,
  version: async () => version,
  stop: async () => (await import('./act.ts')).stop,
  start: async () => (await import('./act.ts')).start,
  restart: async () => (await import('./act.ts')).restart,
  kill: async () => (await import('./act.ts')).kill,
  rm: async () => (await import('./act.ts')).remove,
  logs: async () => (await import('./act.ts')).logs,
};

/** `docker compose …`: global flags, then one command, loaded on demand. */
export async function runCompose(call: Call, argv: readonly string[]): Promise<void> {
  const global = readFlags('compose', globalForm, argv, true);
  if (global.has('dry-run')) throw unknown('"compose --dry-run"');
  const [name = '', ...rest] = global.rest;
  if (global.has('version')) return version({ call, global, argv: [] });
  const load = commands[name];
  if (!load) throw unknown(`the command "compose ${name}"`);
  const command = await load();
  await command({ call, global, argv: rest });
}

async function version({ call, argv }: Compose): Promise<void> {
  const flags = readFlags('compose version', 'short f/format=', argv);
  const { compose } = versions;
  if (flags.has('short')) return call.out(`${compose}\n`);
  call.out(
    flags.text('format') === 'json'
      ? `${JSON.stringify({ version: compose })}\n`
      : `Docker Compose version ${compose}\n`,
  );
}
