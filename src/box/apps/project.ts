import { type AppRecord, type BoxPorts, BrokenEnv, type ComposeProject, ContainersFailed } from '../ports.ts';
import {
  type ComposeFacts,
  composeFileNames,
  filledInPaths,
  overrideFileNames,
  projectName,
  readComposeFiles,
  resolvedFacts,
} from '../rules/compose/compose-file.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import type { Container } from '../rules/reconcile/container.ts';

/** The Compose project that an app has with the files of a directory. */
export type PlannedProject = {
  compose: ComposeProject;
  env: ReadonlyMap<string, string>;
  facts: ComposeFacts;
  digest?: string;
};

/** The Compose project of an installed app, with digests of its files. */
export type Project = PlannedProject & {
  factsDigest: string;
  /** Digest of everything that shapes the containers: Compose files, `.env`, and the files that they name. */
  digest: string;
};

/** `isAbsent`: there is no Compose file at all, so there is nothing to start. */
export type ProjectVerdict<Found = Project> =
  | { ok: true; project: Found }
  | { ok: false; problem: string; isAbsent: boolean };

/**
 * Another existing folder that the project's containers come from. Such containers do not belong to the app and are
 * left alone.
 */
export function otherOwner(
  box: Pick<BoxPorts, 'folders'>,
  containers: readonly Container[],
  { project, directory }: Pick<ComposeProject, 'project' | 'directory'>,
): string | null {
  const other = containers.find(
    (container) =>
      container.project === project &&
      container.workingDirectory !== directory &&
      box.folders.isDirectory(container.workingDirectory),
  );
  return other?.workingDirectory ?? null;
}

/** The YAML parser takes seconds for a hostile file of 1 MiB. choice/box/172 */
export const largestComposeBytes = 256 * 1024;
const composeProjectName = /^[a-z0-9][a-z0-9_-]*$/;

/**
 * Reads an app's project. While the bytes of the Compose files are unchanged, their facts come from the record, so that
 * an unchanged app costs no parsing.
 */
export async function readProject(
  box: Pick<BoxPorts, 'folders'>,
  app: string,
  record: AppRecord | undefined,
): Promise<ProjectVerdict> {
  const directory = box.folders.path(app);
  const files = composeFilesOf(box, directory);
  if (files.length === 0) return absent;
  const factsDigest = box.folders.digest(app, files);
  const facts = record?.factsDigest === factsDigest ? record.facts : await readFacts(box, [directory], files);
  if (typeof facts === 'string') return broken(facts);

  const envText = readEnv(box, app);
  if (envText instanceof BrokenEnv) return broken(envText.message);
  const verdict = projectOf(box, app, { directory, files, facts, envText });
  if (!verdict.ok) return verdict;
  const { env } = verdict.project;
  const named = filledInPaths([...facts.files, ...facts.mounted], env);
  const digest = box.folders.digest(app, [...files, '.env', ...named]);
  if (facts.resolvedFor !== undefined && facts.resolvedFor !== digest) return readProject(box, app, undefined);
  return { ok: true, project: { ...verdict.project, factsDigest, digest } };
}

/**
 * Has Compose resolve the services of a project whose Compose files use `include`, `extends` or `profiles`. If Compose
 * gives no answer, the project stays as it is, and its `up` reports the fault.
 */
export async function resolveServices<One extends PlannedProject>(
  box: Pick<BoxPorts, 'containers'>,
  project: One,
): Promise<One> {
  const { facts, compose, digest = '' } = project;
  if (facts.complete) return project;
  try {
    return { ...project, facts: resolvedFacts(facts, await box.containers.config(compose), digest) };
  } catch (error) {
    if (error instanceof ContainersFailed) return project;
    throw error;
  }
}

/** Reads the project that an app would have with the files and the `.env` of this directory. */
export async function readPlannedProject(
  box: Pick<BoxPorts, 'folders'>,
  app: string,
  directory: string,
  envText: string | null,
): Promise<ProjectVerdict<PlannedProject>> {
  const files = composeFilesOf(box, directory);
  if (files.length === 0) return absent;
  const facts = await readFacts(box, [directory], files);
  if (typeof facts === 'string') return broken(facts);
  return projectOf(box, app, { directory, files, facts, envText });
}

type ProjectFiles = { directory: string; files: string[]; facts: ComposeFacts; envText: string | null };

function projectOf(
  box: Pick<BoxPorts, 'folders'>,
  app: string,
  { directory, files, facts, envText }: ProjectFiles,
): ProjectVerdict<PlannedProject> {
  const env = readDotenv(envText ?? '');
  const name = projectName(facts, env, app);
  if (!composeProjectName.test(name)) {
    return broken(invalidName(facts, env));
  }
  const compose: ComposeProject = {
    project: name,
    directory,
    files: files.map((file) => `${directory}/${file}`),
    envFile: envText === null ? null : `${directory}/.env`,
  };
  // The message shows the path before interpolation, because a variable's value may be a secret.
  const odd = facts.files.find((file) =>
    filledInPaths([file], env).some((path) => {
      return !box.folders.canBeRead(app, path.startsWith('/') ? path : `${directory}/${path}`);
    }),
  );
  if (odd !== undefined) return broken(`its Compose file names ${odd}, which is not a regular file of at most 64 MiB`);
  return { ok: true, project: { compose, env, facts } };
}

/**
 * Finds the installed app whose project the app in this directory would share with this `.env`. `null` if there is no
 * such app, or if the directory has no readable Compose file.
 * choice/box/100
 */
export async function takenProject(
  box: Pick<BoxPorts, 'folders' | 'records'>,
  app: string,
  directory: string,
  env: string,
): Promise<string | null> {
  const files = composeFilesOf(box, directory);
  const facts = files.length === 0 ? '' : await readFacts(box, [directory], files);
  if (typeof facts === 'string') return null;
  const project = projectName(facts, readDotenv(env), app);
  const records = box.records.load();
  for (const { name, link } of box.folders.list('installed')) {
    if (link || name === app) continue;
    const verdict = await readProject(box, name, records.get(name)).catch(() => null);
    if (verdict?.ok && verdict.project.compose.project === project) return name;
  }
  return null;
}

/**
 * Reads the Compose files that an app will have with the files in `source`, which may be the app's own directory.
 * `null` without a readable Compose file.
 */
export async function plannedFacts(
  box: Pick<BoxPorts, 'folders' | 'records'>,
  app: string,
  source: string,
): Promise<ComposeFacts | null> {
  const own = box.folders.path(app);
  const files = composeFilesOf(box, source, own);
  if (files.length === 0) return null;
  const record = source === own ? box.records.load().get(app) : undefined;
  // Services that Compose resolved have the ports of the present `.env`, not of the planned one.
  const isReusable = record?.facts.resolvedFor === undefined;
  if (record !== undefined && isReusable && record.factsDigest === box.folders.digest(app, files)) return record.facts;
  const facts = await readFacts(box, [source, own], files);
  return typeof facts === 'string' ? null : facts;
}

/** Returns the name before interpolation, because a value in the `.env` may be a secret. */
function invalidName(facts: ComposeFacts, env: ReadonlyMap<string, string>): string {
  const written = env.get('COMPOSE_PROJECT_NAME')
    ? 'COMPOSE_PROJECT_NAME in its .env'
    : `its name ${JSON.stringify(facts.name)}`;
  return `${written} is not a valid project name: use lower-case letters, digits, "-" and "_", the first a letter or digit`;
}

type Problem = { ok: false; problem: string; isAbsent: boolean };

const absent: Problem = {
  ok: false,
  problem: `it has no Compose file (${composeFileNames[0]})`,
  isAbsent: true,
};

function broken(problem: string): Problem {
  return { ok: false, problem, isAbsent: false };
}

function readEnv(box: Pick<BoxPorts, 'folders'>, app: string): string | null | BrokenEnv {
  try {
    return box.folders.readEnv(app);
  } catch (error) {
    if (error instanceof BrokenEnv) return error;
    throw error;
  }
}

/** Whether an installed app has anything to start. */
export function hasComposeFile(box: Pick<BoxPorts, 'folders'>, app: string): boolean {
  return composeFilesOf(box, box.folders.path(app)).length > 0;
}

/** The Compose file and the override that Compose would choose, each from the first directory that contains one. */
export function composeFilesOf(box: Pick<BoxPorts, 'folders'>, ...directories: string[]): string[] {
  const isThere = (file: string) => directories.some((one) => box.folders.stamp(one, file) !== null);
  const main = composeFileNames.find(isThere);
  if (main === undefined) return [];
  const override = overrideFileNames.find(isThere);
  return override === undefined ? [main] : [main, override];
}

async function readFacts(
  box: Pick<BoxPorts, 'folders'>,
  directories: readonly string[],
  files: readonly string[],
): Promise<ComposeFacts | string> {
  const texts: string[] = [];
  for (const file of files) {
    const directory = directories.find((one) => box.folders.stamp(one, file) !== null) ?? '';
    const bytes = box.folders.read(directory, file, largestComposeBytes + 1);
    if (bytes === null) return `its ${file} is not a regular file`;
    if (bytes.length > largestComposeBytes) return `its ${file} is larger than ${largestComposeBytes / 1024} KiB`;
    texts.push(new TextDecoder().decode(bytes));
  }
  try {
    return await readComposeFiles(texts);
  } catch (error) {
    return `its Compose file cannot be read: ${withoutQuotes(error as Error)}`;
  }
}

/** The parser's error and its line, without the words that it quotes: they may be secrets. */
function withoutQuotes({ message, linePos }: Error & { linePos?: { line: number }[] }): string {
  const [what = ''] = message.split(/[:"\n]| at line /, 1);
  return linePos?.[0] === undefined ? what.trim() : `${what.trim()} (line ${linePos[0].line})`;
}
