import { attempt } from '../../lib/ignore.ts';
import {
  type AppRecord,
  BrokenEnv,
  type ComposeFiles,
  type ComposeProject,
  ContainersFailed,
  type Core,
} from '../core.ts';
import type { Container } from '../engine/rules/container.ts';
import {
  type ComposeFacts,
  composeFileNames,
  filledInPaths,
  overrideFileNames,
  projectName,
  readComposeFiles,
} from '../rules/compose/compose-file.ts';
import type { ProjectModel } from '../rules/compose/project-model.ts';
import type { ServicePowers } from '../rules/compose/root-powers.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import { followFiles, oddNamed } from './odd-file.ts';

/** The files of a project that were found in a directory, before Compose was asked about them. */
export type FoundProject = {
  app: string;
  files: ComposeFiles;
  env: ReadonlyMap<string, string>;
  facts: ComposeFacts;
  /** Digests of the Compose files, and of everything that shapes the containers, `.env` and named files included. */
  factsDigest: string;
  digest: string;
  /** The paths of all files that Compose reads, relative to the app's directory or absolute. */
  reads: string[];
  /** Compose's earlier answer about these very files; `null` if it has to be asked. */
  known: ProjectModel | null;
};

/** The Compose project of an app. `model` has no services if Compose does not understand the files. */
export type Project = FoundProject & {
  compose: ComposeProject;
  model: ProjectModel;
  problem: string | null;
  unset: readonly string[];
  powers: readonly ServicePowers[];
};

/** `isAbsent`: there is no Compose file at all, so there is nothing to start. */
type ProjectVerdict = { ok: true; project: FoundProject } | NoProject;
type NoProject = { ok: false; problem: string; isAbsent: boolean };

/** Another existing folder that containers of the project come from. Such containers are not the app's. */
export function otherOwner(
  box: Pick<Core, 'folders'>,
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

/** Refuses work on a project whose containers come from another folder. Throws ContainersFailed. */
export function refuseOtherOwner(
  box: Pick<Core, 'folders'>,
  containers: readonly Container[],
  own: Pick<ComposeProject, 'project' | 'directory'>,
): void {
  const owner = otherOwner(box, containers, own);
  if (owner !== null) throw new ContainersFailed(`the project ${own.project} is that of ${owner}`, false);
}

/** The YAML parser takes seconds for a hostile file of 1 MiB. choice/box/172 */
export const largestComposeBytes = 256 * 1024;

/** Finds the files of an installed app's project. What Compose said of unchanged files comes from the record. */
export async function readProject(
  box: Pick<Core, 'folders'>,
  app: string,
  record: AppRecord | undefined,
): Promise<ProjectVerdict> {
  const read = () => box.folders.readEnv(app);
  const envText = attempt(read, BrokenEnv, (error) => error);
  if (envText instanceof BrokenEnv) return broken(envText.message);
  const directory = box.folders.path(app);
  return readPlannedProject(box, app, { directory, envText, envFile: `${directory}/.env` }, record);
}

/** The files of a directory, with an `.env` of this text that is at `envFile`, or without one. */
export type PlannedFiles = { directory: string; envText: string | null; envFile: string };

export async function readPlannedProject(
  box: Pick<Core, 'folders'>,
  app: string,
  { directory, envText, envFile }: PlannedFiles,
  record: AppRecord | undefined,
): Promise<ProjectVerdict> {
  const files = composeFilesOf(box, directory);
  if (files.length === 0) return absent;
  const factsDigest = box.folders.digest(directory, files);
  const facts = record?.factsDigest === factsDigest ? record.facts : await readFacts(box, directory, files);
  if (typeof facts === 'string') return broken(facts);

  // Compose prefers the variables of its process.
  const process = new Map([...box.folders.environment(app), ['PWD', directory]]);
  const env = readDotenv(envText ?? '', process);
  const place = { directory, env: new Map([...env, ...process]) };
  const named = filledInPaths(facts.files, place.env);
  const { problem, reads } = facts.isComplete
    ? { problem: oddNamed(box.folders, [...facts.files, ...facts.built], place), reads: named }
    : await followFiles(box.folders, files, place);
  if (problem !== null) return broken(problem);
  const digest = box.folders.digest(directory, [...files, ...named], envText);
  const composeFiles = {
    directory,
    files: files.map((file) => `${directory}/${file}`),
    envFile: envText === null ? null : envFile,
  };
  const known = facts.isComplete && record?.modelFor === digest ? record.model : null;
  const found = { app, files: composeFiles, env, facts, factsDigest, digest, known };
  return { ok: true, project: { ...found, reads: [...files, '.env', ...reads] } };
}

/** Has Compose say what the project is, unless the record knows. Without an answer, the project has no services. */
export async function resolveProject(box: Pick<Core, 'containers'>, found: FoundProject): Promise<Project> {
  if (found.known !== null) return projectOf(found, found.known, null);
  const isNamed = found.facts.name !== null || Boolean(found.env.get('COMPOSE_PROJECT_NAME'));
  try {
    const { model, digest, unset, powers } = await box.containers.config(
      found.files,
      isNamed ? null : projectOfDirectory(found.app),
    );
    // Only Compose knows all files of an incomplete project.
    const whole = found.facts.isComplete ? found.digest : `${found.digest} ${digest}`;
    return { ...projectOf(found, model, null), digest: whole, unset, powers };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return unresolved(found, error.message);
  }
}

/**
 * A project whose files were planned and are in place now. What Compose said of the plan counts, so that it need not be
 * asked again, unless the model has paths outside the app's directory: they may be relative to the place of the plan.
 */
export function asPlanned(found: FoundProject, planned: Project | null): FoundProject {
  if (planned?.digest !== found.digest || planned.problem !== null) return found;
  const services = Object.values(planned.model.services);
  const isInside = services.every(({ files, mounts }) => [...files, ...mounts].every((path) => !path.startsWith('/')));
  return isInside ? { ...found, known: planned.model } : found;
}

/** A project that Compose was not or could not be asked about. */
export function unresolved(found: FoundProject, problem: string): Project {
  return projectOf(found, fallback(found), problem);
}

function fallback({ app, facts, env }: FoundProject): ProjectModel {
  return { name: projectName(facts, env, app), services: {} };
}

function projectOf(found: FoundProject, model: ProjectModel, problem: string | null): Project {
  return { ...found, model, problem, unset: [], powers: [], compose: { ...found.files, project: model.name } };
}

/** Finds the installed app whose project has this name. `null` if there is no such app. choice/box/100 */
export async function ownerOfProject(
  box: Pick<Core, 'folders' | 'records'>,
  app: string,
  project: string,
): Promise<string | null> {
  const records = box.records.load();
  for (const { name, link } of box.folders.list('installed')) {
    if (link || name === app) continue;
    const record = records.get(name);
    const verdict = await readProject(box, name, record).catch(() => null);
    if (!verdict?.ok) continue;
    const model = verdict.project.known ?? record?.model;
    if ((model?.name ?? projectOfDirectory(fallback(verdict.project).name)) === project) return name;
  }
  return null;
}

const absent: NoProject = { ok: false, problem: `it has no Compose file (${composeFileNames[0]})`, isAbsent: true };

function broken(problem: string): NoProject {
  return { ok: false, problem, isAbsent: false };
}

/** The Compose file and the override that Compose would choose. */
export function composeFilesOf(box: Pick<Core, 'folders'>, directory: string): string[] {
  const isThere = (file: string) => box.folders.stamp(directory, file) !== null;
  const main = composeFileNames.find(isThere);
  if (main === undefined) return [];
  const override = overrideFileNames.find(isThere);
  return override === undefined ? [main] : [main, override];
}

async function readFacts(
  box: Pick<Core, 'folders'>,
  directory: string,
  files: readonly string[],
): Promise<ComposeFacts | string> {
  const texts: string[] = [];
  for (const file of files) {
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
  const [what = ''] = message.split(/[:"\n]/, 1);
  return linePos?.[0] === undefined ? what.trim() : `${what.trim()} (line ${linePos[0].line})`;
}
