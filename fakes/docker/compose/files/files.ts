import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Call } from '../../handler/call.ts';
import type { Flags } from '../../handler/views/flags.ts';
import { Failure } from '../../model/failure.ts';
import { parseDotenv } from './dotenv.ts';
import { readText } from './read-text.ts';

/** The files of a project and the variables for their interpolation. */
export type Sources = { files: string[]; directory: string; envFiles: string[]; environment: Map<string, string> };

const fileNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const overrideNames = [
  'compose.override.yaml',
  'compose.override.yml',
  'docker-compose.override.yaml',
  'docker-compose.override.yml',
];

/** Finds files like Compose: `-f`, `COMPOSE_FILE`, or by name in this directory or a parent. */
export function findSources(call: Call, global: Flags): Sources {
  const shell = new Map(Object.entries(call.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const projectDirectory = global.text('project-directory');
  const startAt = projectDirectory ? resolve(call.cwd, projectDirectory) : call.cwd;
  const first = readEnvironment(call, global, startAt, shell);
  const files = composeFiles(call, global, startAt, first.environment);
  if (files.length === 0) throw new Failure(14, 'no configuration file provided: not found');
  const directory = projectDirectory ? startAt : dirname(files[0] ?? '');
  return { files, directory, ...readEnvironment(call, global, directory, shell) };
}

function composeFiles(call: Call, global: Flags, startAt: string, environment: Map<string, string>): string[] {
  const named = global.list('file');
  const separator = environment.get('COMPOSE_PATH_SEPARATOR') || ':';
  const listed = named.length > 0 ? named : (environment.get('COMPOSE_FILE')?.split(separator) ?? []).filter(Boolean);
  if (listed.length > 0) return listed.map((file) => resolve(named.length > 0 ? call.cwd : startAt, file));
  for (let directory = startAt; ; directory = dirname(directory)) {
    const found = fileNames.map((name) => join(directory, name)).find((path) => existsSync(path));
    if (found) return withOverride(found, directory);
    if (dirname(directory) === directory) return [];
  }
}

function withOverride(file: string, directory: string): string[] {
  const override = overrideNames.map((name) => join(directory, name)).find((path) => existsSync(path));
  return override ? [file, override] : [file];
}

function readEnvironment(call: Call, global: Flags, directory: string, shell: Map<string, string>) {
  const asked =
    global.list('env-file').length > 0 ? global.list('env-file') : (shell.get('COMPOSE_ENV_FILES')?.split(',') ?? []);
  const byDefault = join(directory, '.env');
  const isThere = existsSync(byDefault) && !statSync(byDefault).isDirectory();
  const envFiles = asked.length > 0 ? asked.map((file) => resolve(call.cwd, file)) : isThere ? [byDefault] : [];
  const fromFiles = new Map<string, string>();
  for (const file of envFiles) readInto(fromFiles, file, shell);
  return { envFiles, environment: new Map([...fromFiles, ...shell]) };
}

function readInto(values: Map<string, string>, file: string, shell: Map<string, string>): void {
  if (!existsSync(file)) throw new Failure(1, `Couldn't find env file: ${file}`);
  if (statSync(file).isDirectory()) throw new Failure(1, `${file} is a directory`);
  try {
    const read = parseDotenv(readText(file), (name) => shell.get(name) ?? values.get(name));
    for (const [name, value] of read) values.set(name, value);
  } catch (error) {
    throw new Failure(1, `failed to read ${file}: ${(error as Error).message}`);
  }
}
