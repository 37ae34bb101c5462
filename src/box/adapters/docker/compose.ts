import { createHash } from 'node:crypto';
import {
  CommandFailed,
  type CommandOptions,
  type CommandOutput,
  runCommand,
} from '../../../lib/process/run-command.ts';
import { type ComposeProject, type Containers, ContainersFailed, type OnProgress } from '../../core.ts';
import { projectModel } from '../../rules/compose/project-model.ts';
import { rootPowers } from '../../rules/compose/root-powers.ts';
import { unsetVariables } from '../../rules/compose/variables.ts';
import type { Lend } from '../changes.ts';
import { composeMemoryKib, dockerEnvironment } from './docker-environment.ts';
import { throwContainersFailed } from './docker-failure.ts';
import { label, parseContainerIds, parseImageIds, parseVolumes, usedNetworks } from './docker-output.ts';
import { followImages } from './image-progress.ts';
import { observeContainers } from './observe.ts';

const listMs = 30_000;
/** On top of the time that the containers have to stop. */
const downMs = 60_000;
const changeMs = 15 * 60_000;
/** Longest silence of a pull or a build. */
const silenceMs = 5 * 60_000;
/** A short limit, because the owner waits for the log lines and they are optional. */
const logsMs = 5000;
const logLines = 20;
const logBytes = 64 * 1024;

export type ComposeLimits = { listMs: number; downMs: number; changeMs: number; silenceMs: number };
const usualLimits: ComposeLimits = { listMs, downMs, changeMs, silenceMs };

/**
 * The `docker` command and its Compose plugin. Every call names project, files and env file, so that Compose does not
 * search for them. The environment holds only the variables for reaching an engine, because other variables would
 * override those of an app's `.env`.
 * box/process/17, choice/box/98, choice/box/104, choice/box/129
 */
export function makeComposeContainers(
  environment: Readonly<Record<string, string | undefined>>,
  limits: ComposeLimits = usualLimits,
  lend: Lend = (command) => command(undefined),
): Containers {
  const calls = makeCalls(environment, lend, limits);
  return { ...ofProjects(calls), ...ofEngine(calls) };
}

type Calls = ReturnType<typeof makeCalls>;

/** The ways in which the program is called. Every failure is a ContainersFailed, except of `run`. */
export function makeCalls(
  environment: Readonly<Record<string, string | undefined>>,
  lend: Lend = (command) => command(undefined),
  limits = usualLimits,
) {
  const own = dockerEnvironment(environment);
  const run = (args: readonly string[], options: Omit<CommandOptions, 'env'>, env = own) =>
    // As in a shell in that directory. Some versions of Docker set it themselves.
    runCommand(['docker', ...args], {
      env: { ...env, PWD: options.cwd },
      memoryKib: args[0] === 'compose' ? composeMemoryKib : undefined,
      ...options,
    });
  /** A command that may pull or build images. */
  const withImages = (
    project: ComposeProject,
    args: readonly string[],
    onProgress: OnProgress | undefined,
    options: Pick<CommandOptions, 'signal' | 'inherited'>,
  ) => {
    const images = followImages(onProgress ?? (() => undefined), limits);
    const { onOutput } = images;
    const all = { cwd: project.directory, timeoutMs: limits.changeMs, onOutput, mayBeCut: true, ...options };
    return run(composeArguments(project, args), all).catch((error: unknown) =>
      throwContainersFailed(error, images.isUnderWay() ? limits.silenceMs : null),
    );
  };
  return {
    limits,
    run,
    withImages,
    // A running service may belong to a profile that is no longer active.
    everyProfile: { ...own, COMPOSE_PROFILES: '*' },
    query: (args: readonly string[], cwd = '/') =>
      run(args, { cwd, timeoutMs: limits.listMs }).catch(throwContainersFailed),
    change: (args: readonly string[], timeoutMs: number, cwd = '/', env = own) =>
      lend((inherited) => run(args, { cwd, timeoutMs, inherited, mayBeCut: true }, env)).catch(throwContainersFailed),
    imageChange: (project: ComposeProject, args: readonly string[], onProgress: OnProgress | undefined) =>
      lend((inherited) => withImages(project, args, onProgress, { inherited })),
  };
}

type OfProjects = 'config' | 'up' | 'down' | 'downByName' | 'pull' | 'build' | 'pullServices';

function ofProjects({
  limits,
  query,
  change,
  imageChange,
  withImages,
  everyProfile,
}: Calls): Pick<Containers, OfProjects> {
  return {
    async config({ directory, files, envFile }, name) {
      const args = composeArguments({ project: name, files, envFile }, ['config', '--format', 'json']);
      const { stdout, stderr } = await query(args, directory);
      const digest = digestOf(stdout);
      const understand = () => {
        const config = { name, ...JSON.parse(stdout) };
        const powers = rootPowers([config], new Map(), directory);
        return { config, model: projectModel(config, directory, digestOf), powers };
      };
      return { ...understood('docker compose config', understand), digest, unset: unsetVariables(stderr) };
    },
    async up(project, services, { recreate = false, start = true, onProgress } = {}) {
      const only = services === undefined ? [] : ['--no-deps', ...services];
      const more = [...(recreate ? ['--force-recreate'] : []), ...(start ? [] : ['--no-start'])];
      await imageChange(project, ['up', '-d', '--remove-orphans', '--pull', 'missing', ...more, ...only], onProgress);
    },
    async down(project, stopMs) {
      const args = composeArguments(project, ['down', '--remove-orphans']);
      const { stderr } = await change(args, limits.downMs + stopMs, project.directory, everyProfile);
      return usedNetworks(stderr);
    },
    async downByName(project, stopMs) {
      await change(['compose', '-p', project, 'down', '--remove-orphans'], limits.downMs + stopMs, '/', everyProfile);
    },
    async pull(project, hasBuilt, onProgress) {
      await imageChange(project, ['pull', ...(hasBuilt ? ['--ignore-buildable'] : [])], onProgress);
    },
    async build(project, services = [], onProgress) {
      await imageChange(project, ['build', ...services], onProgress);
    },
    async pullServices(project, services, signal) {
      await withImages(project, ['pull', ...services], undefined, { signal });
    },
  };
}

function ofEngine({ limits, run, query, change }: Calls): Omit<Containers, OfProjects> {
  /** Those of these volumes that exist. */
  const volumesNamed = async (names: readonly string[]) => {
    if (names.length === 0) return [];
    const asked = run(['volume', 'inspect', ...names], { cwd: '/', timeoutMs: limits.listMs });
    const { stdout } = await asked.catch((error: unknown) => {
      if (error instanceof CommandFailed && /no such volume/i.test(error.stderrTail)) return error;
      throwContainersFailed(error);
    });
    return understood('docker volume inspect', () => parseVolumes(stdout, digestOf));
  };
  return {
    observe: () => observeContainers((args) => run(args, { cwd: '/', timeoutMs: limits.listMs })),
    async stop(ids, stopMs) {
      if (ids.length > 0) await change(['stop', ...ids], limits.downMs + stopMs);
    },
    async start(ids) {
      if (ids.length > 0) await change(['start', ...ids], limits.downMs);
    },
    async unpause(ids) {
      if (ids.length > 0) await change(['unpause', ...ids], limits.downMs);
    },
    async logs(container) {
      const args = ['logs', '--tail', `${logLines}`, container];
      const options = { cwd: '/', timeoutMs: logsMs, outputLimit: logBytes, mayBeCut: true };
      const { stdout, stderr } = await run(args, options).catch(throwContainersFailed);
      return [stdout, stderr].map(lastWholeLines).join('\n');
    },
    imageIds: (tags) => inspectImages(query, tags, '{{.Id}}', parseImageIds),
    imageDigests: (ids) =>
      inspectImages(query, ids, '{{json .RepoDigests}}', (stdout, asked) =>
        understood('docker image inspect', () => {
          const found = stdout.split('\n');
          return new Map(asked.map((id, index): [string, string[]] => [id, JSON.parse(found[index] ?? '') ?? []]));
        }),
      ),
    async pullImage(reference) {
      await change(['pull', '--quiet', reference], limits.changeMs);
    },
    async tag(imageId, tag) {
      await change(['tag', imageId, tag], limits.listMs);
    },
    async volumes(project, mounted = []) {
      const list = ['volume', 'ls', '-q', '--filter', `label=${label.project}=${project}`];
      const labelled = project === null ? [] : namesOf(await query(list));
      return volumesNamed([...new Set([...labelled, ...mounted])]);
    },
    async makeVolume(name, labels, project) {
      const marks = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
      await change(['volume', 'create', ...marks, name], limits.listMs);
      const [made] = await volumesNamed([name]);
      if (made === undefined || made.driver !== 'local' || made.hasOptions || !made.mountpoint.startsWith('/')) {
        throw new ContainersFailed(`the volume ${name} exists and is not a plain local one; remove it first`, false);
      }
      const owner = made.labels[label.project];
      // Compose labels a volume without a name that it makes once more.
      if (owner !== labels[label.project] && owner !== project) {
        const text = `the volume ${name} exists and belongs to ${owner === undefined ? 'no app' : `the project ${owner}`}`;
        throw new ContainersFailed(`${text}; remove it first, or choose another backup`, false);
      }
      return made.mountpoint;
    },
    async usersOf(volume) {
      const { stdout } = await query(['ps', '-aq', '--no-trunc', '--filter', `volume=${volume}`]);
      return parseContainerIds(stdout) ?? [];
    },
    async removeVolume(name) {
      await change(['volume', 'rm', name], limits.downMs);
    },
    async removeContainers(ids) {
      if (ids.length > 0) await change(['rm', '-f', ...ids], limits.downMs);
    },
  };
}

/** The directory of the first file is the project directory, and only the named `.env` in it is read. */
function composeArguments(
  { project, files, envFile }: Pick<ComposeProject, 'files' | 'envFile'> & { project: string | null },
  args: readonly string[],
): string[] {
  return [
    'compose',
    ...(project === null ? [] : ['-p', project]),
    ...files.flatMap((file) => ['-f', file]),
    ...(envFile === null ? [] : ['--env-file', envFile]),
    ...args,
  ];
}

/**
 * What `parse` finds in the answer about these images, by their names. An image that is not here is left out: it fails the
 * whole command, so each is then inspected by its own.
 */
async function inspectImages<Found>(
  query: Calls['query'],
  names: readonly string[],
  format: string,
  parse: (stdout: string, names: readonly string[]) => Map<string, Found>,
): Promise<Map<string, Found>> {
  if (names.length === 0) return new Map();
  try {
    return parse((await query(['image', 'inspect', '--format', format, ...names])).stdout, names);
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    if (names.length === 1) return new Map();
  }
  const found = new Map<string, Found>();
  for (const name of names) {
    for (const [one, of] of await inspectImages(query, [name], format, parse)) found.set(one, of);
  }
  return found;
}

function namesOf({ stdout }: CommandOutput): string[] {
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Drops a truncated line and all lines before it, because masking would miss half a secret. */
function lastWholeLines(output: string): string {
  const cut = output.search(/^… \d+ bytes left out …$/m);
  return cut === -1 ? output : output.slice(cut).split('\n').slice(2).join('\n');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function understood<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ContainersFailed(`${command} answered in a form that is not understood`, false, error);
  }
}
