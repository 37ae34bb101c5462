import { CommandFailed, type CommandOutput, runCommand } from '../../lib/run-command.ts';
import { type ComposeProject, type ContainerState, type Containers, ContainersFailed } from '../ports.ts';
import {
  type ListedContainer,
  parseContainerImages,
  parseContainerList,
  parseImageIds,
  withInspectedLabels,
} from './docker-output.ts';

const listMs = 30_000;
const downMs = 60_000;
const changeMs = 15 * 60_000;

export type ComposeLimits = { listMs: number; downMs: number; changeMs: number };

/**
 * The `docker` command and its Compose plugin. Every call names project, files and env file, so that Compose takes
 * none by chance; it sees nothing of our environment but what reaches an engine, since variables of ours would win
 * over those of an app's `.env`.
 * box/process/17, choice/box/97, choice/box/99, choice/box/102, choice/box/107, choice/box/129
 */
export function makeComposeContainers(
  environment: Readonly<Record<string, string | undefined>>,
  limits: ComposeLimits = { listMs, downMs, changeMs },
  lockFile: () => number | undefined = () => undefined,
): Containers {
  const own = dockerEnvironment(environment);
  const docker = (args: readonly string[], timeoutMs: number, cwd = '/', env = own) =>
    runCommand(['docker', ...args], { cwd, env, timeoutMs, inherited: lockFile() }).catch(rethrow);
  const compose = (project: ComposeProject, args: readonly string[], timeoutMs: number, env = own) =>
    docker(['compose', ...projectArguments(project), ...args], timeoutMs, project.directory, env);
  // A service that only a profile starts may run whatever the profiles of now are.
  const everyProfile = { ...own, COMPOSE_PROFILES: '*' };

  /** One inspection more, where a listing can be read in two ways. */
  const certain = async (listed: ListedContainer[]): Promise<ContainerState[]> => {
    const doubtful = listed.filter(({ isDoubtful }) => isDoubtful).map(({ id }) => id);
    if (doubtful.length === 0) return listed;
    const { stdout } = await docker(['inspect', ...doubtful], limits.listMs);
    return listed.map((one) =>
      one.isDoubtful ? understood('docker inspect', () => withInspectedLabels(one, stdout)) : one,
    );
  };

  return {
    async list() {
      const { stdout } = await docker([...listArguments, '--format', 'json'], limits.listMs);
      // Engines before 23 take the word for a template and print it: they are asked field by field.
      const isWord = /^(json\s*)+$/.test(stdout.trim());
      const text = isWord
        ? (await docker([...listArguments, '--format', fieldList], limits.listMs)).stdout
        : stdout;
      return certain(understood('docker ps', () => parseContainerList(text)));
    },
    async up(project) {
      const args = ['up', '-d', '--remove-orphans', '--pull', 'missing'];
      const { stdout, stderr } = await compose(project, args, limits.changeMs);
      return `${stdout}\n${stderr}`;
    },
    async down(project) {
      await compose(project, ['down', '--remove-orphans'], limits.downMs, everyProfile);
    },
    async downByName(project) {
      await docker(['compose', '-p', project, 'down', '--remove-orphans'], limits.downMs, '/', everyProfile);
    },
    async pull(project, hasBuilt) {
      await compose(project, ['pull', '-q', ...(hasBuilt ? ['--ignore-buildable'] : [])], limits.changeMs);
    },
    async serviceContainers(project, service) {
      const { stdout } = await compose(project, ['ps', '-q', service], limits.listMs);
      return stdout.split(/\s+/).filter((id) => id !== '');
    },
    async inspect(ids) {
      if (ids.length === 0) return [];
      const { stdout } = await docker(['inspect', ...ids], limits.listMs);
      return understood('docker inspect', () => parseContainerImages(stdout));
    },
    imageIds: (tags) => imageIds(tags, (args) => docker(args, limits.listMs)),
    async tag(imageId, tag) {
      await docker(['tag', imageId, tag], limits.listMs);
    },
    async removeContainers(ids) {
      if (ids.length > 0) await docker(['rm', '-f', ...ids], limits.downMs);
    },
  };
}

const listArguments = ['ps', '-a', '--no-trunc', '--filter', 'label=com.docker.compose.project'];
const fieldList =
  '{"ID":{{json .ID}},"Names":{{json .Names}},"State":{{json .State}},"Status":{{json .Status}},"Labels":{{json .Labels}}}';

/** The project's folder is that of its first file, and the only `.env` there is the one that is named. */
function projectArguments({ project, files, envFile }: ComposeProject): string[] {
  return [
    ...['-p', project],
    ...files.flatMap((file) => ['-f', file]),
    ...(envFile === null ? [] : ['--env-file', envFile]),
  ];
}

function dockerEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of Object.keys(environment)) {
    if (name !== 'PATH' && name !== 'HOME' && !name.startsWith('DOCKER_')) continue;
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

async function imageIds(
  tags: readonly string[],
  docker: (args: readonly string[]) => Promise<CommandOutput>,
): Promise<Map<string, string>> {
  if (tags.length === 0) return new Map();
  const ask = async (asked: readonly string[]) => {
    const { stdout } = await docker(['image', 'inspect', '--format', '{{.Id}}', ...asked]);
    return parseImageIds(stdout, asked);
  };
  try {
    return await ask(tags);
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
  }
  // One without a local image fails the whole question: each is asked for itself.
  const found = new Map<string, string>();
  for (const tag of tags) {
    const ids = await ask([tag]).catch((error: unknown) => {
      if (error instanceof ContainersFailed && !error.unreachable) return new Map<string, string>();
      throw error;
    });
    for (const [name, id] of ids) found.set(name, id);
  }
  return found;
}

function understood<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ContainersFailed(`${command} answered in a form that is not understood`, false, error);
  }
}

function rethrow(error: unknown): never {
  if (!(error instanceof CommandFailed)) throw error;
  const command = `docker ${error.argv[1] === 'compose' ? `compose ${composeVerb(error.argv)}` : error.argv[1]}`;
  throw new ContainersFailed(sentence(command, error), isUnreachable(error), error);
}

const composeVerbs = new Set(['up', 'down', 'pull', 'ps']);

function composeVerb(argv: readonly string[]): string {
  return argv.findLast((word) => composeVerbs.has(word)) ?? '';
}

function sentence(command: string, error: CommandFailed): string {
  if (error.notFound) return 'the program docker is not on PATH; is Docker installed?';
  if (error.timedOut)
    return `${command} did not end in time; what it said last: ${lastLines(error.stderrTail)}`;
  if (isUnreachable(error)) return `Docker does not answer; is it running? (${lastLines(error.stderrTail)})`;
  const how = error.signal === null ? `status ${error.status}` : `signal ${error.signal}`;
  return `${command} failed with ${how}: ${lastLines(error.stderrTail)}`;
}

function isUnreachable(error: CommandFailed): boolean {
  if (error.notFound || error.timedOut) return true;
  return /cannot connect to the docker daemon|error during connect|permission denied.*docker.*sock/i.test(
    error.stderrTail,
  );
}

const progress = [
  /^\W*(Container|Network|Volume|Image)\s+\S+\s+[A-Z][a-z]+$/,
  /^\S+ (Pulling|Pulled)$/,
] as const;

/** Progress is left out, and what Compose says of a service when the engine's own words follow. */
function lastLines(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isTold = lines.some((line) => line.startsWith('Error response from daemon'));
  const telling = lines.filter(
    (line) => !progress.some((pattern) => pattern.test(line)) && !(isTold && /^\S+ Error /.test(line)),
  );
  return (telling.length > 0 ? telling : lines).slice(-5).join(' / ') || 'nothing';
}
