import { type AppFolders, maxEnvBytes } from '../core.ts';
import { filledInPaths, readDocuments } from '../rules/compose/compose-file.ts';
import {
  buildFiles,
  directoryOf,
  extendedIn,
  type Included,
  includedIn,
  readIn,
} from '../rules/compose/further-files.ts';
import { interpolate } from '../rules/compose/variables.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';

type Env = Pick<ReadonlyMap<string, string>, 'get'>;

/** Where the paths of a Compose file begin, and the values of its variables. */
type Place = { directory: string; env: Env };

type Folders = Pick<AppFolders, 'canBeRead' | 'readLinked' | 'resolve'>;

/** A search. `left`: bytes that may still be read; `reads`: all files that Compose reads, relative to `root` or absolute. */
type Search = { folders: Folders; root: string; seen: Set<string>; left: number; reads: string[] };

/** The limit of all included and extended files and their `.env` files. The box parses them while others wait. */
const mostBytes = 256 * 1024;
/** Each file counts as at least so many bytes, which bounds their number, too. */
const leastBytes = 1024;

/**
 * The files that Compose reads for these Compose files. Follows `include` and `extends` as Compose does. `problem`: why
 * Compose must not read them, because one is a pipe, a device or too large; `null` if nothing is wrong.
 */
export async function followFiles(
  folders: Folders,
  files: readonly string[],
  place: Place,
): Promise<{ problem: string | null; reads: string[] }> {
  const search: Search = { folders, root: place.directory, seen: new Set(), left: mostBytes, reads: [] };
  const problem = await firstProblem(files, (file) =>
    problemIn(search, folders.readLinked(place.directory, file, mostBytes + 1), 'Compose file', place),
  );
  return { problem, reads: search.reads };
}

async function firstProblem<T>(all: readonly T[], look: (one: T) => Promise<string | null>): Promise<string | null> {
  for (const one of all) {
    const problem = await look(one);
    if (problem !== null) return problem;
  }
  return null;
}

/** A text for the first of these files that is odd: the path before interpolation, because a value may be a secret. */
export function oddNamed(
  folders: Pick<AppFolders, 'canBeRead'>,
  files: readonly string[],
  { directory, env }: Place,
  by = 'Compose file',
): string | null {
  const odd = files.find((file) => filledInPaths([file], env).some((path) => !folders.canBeRead(directory, path)));
  return odd === undefined ? null : `its ${by} names ${odd}, which is not a regular file of at most 64 MiB`;
}

function look({ folders, root, reads }: Search, files: readonly string[], place: Place, by: string): string | null {
  for (const file of filledInPaths(files, place.env)) {
    const path = folders.resolve(place.directory, file);
    reads.push(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  }
  return oddNamed(folders, files, place, by);
}

async function problemIn(search: Search, bytes: Uint8Array | null, by: string, place: Place): Promise<string | null> {
  if (search.left < 0) return `the files that its Compose file includes or extends have more than 256 KiB together`;
  if (bytes === null) return null; // Compose reports the error.
  const documents = await readDocuments([new TextDecoder().decode(bytes)]).catch(() => []);
  const included = documents.flatMap(includedIn);
  const extended = documents.flatMap(extendedIn);
  const within = (file: string) => problemOf(search, file, { place, directory: directoryOf(file), env: place.env });
  return (
    look(search, [...documents.flatMap(readIn), ...extended], place, by) ??
    oddNamed(search.folders, buildFiles(documents), place, by) ??
    (await firstProblem(extended, within)) ??
    firstProblem(included, (one) => problemOfIncluded(search, one, by, place))
  );
}

async function problemOfIncluded(search: Search, { files, directory, envFiles }: Included, by: string, place: Place) {
  const home = directory ?? directoryOf(files[0] ?? '');
  const named = envFiles.length > 0 ? envFiles : [`${home}/.env`];
  const problem = look(search, [...files, ...named], place, by);
  if (problem !== null) return problem;
  const values = named.map((file) => readDotenv(new TextDecoder().decode(read(search, file, place) ?? undefined)));
  const env = { get: (key: string) => [place.env, ...values].find((one) => one.get(key) !== undefined)?.get(key) };
  return firstProblem(files, (file) => problemOf(search, file, { place, directory: home, env }));
}

/** Looks into a file whose own paths begin in `directory`. Both are written as in the file that names them. */
async function problemOf(
  search: Search,
  file: string,
  { place, directory, env }: { place: Place; directory: string; env: Env },
): Promise<string | null> {
  const home = search.folders.resolve(place.directory, interpolate(directory, place.env) ?? '');
  const key = JSON.stringify([interpolate(file, place.env), place.directory, home]);
  if (search.seen.has(key)) return null;
  search.seen.add(key);
  return problemIn(search, read(search, file, place), file, { directory: home, env });
}

function read(search: Search, file: string, { directory, env }: Place): Uint8Array | null {
  const path = interpolate(file, env);
  const bytes = path === null ? null : search.folders.readLinked(directory, path, maxEnvBytes);
  search.left -= Math.max(leastBytes, bytes?.length ?? 0);
  return search.left < 0 ? null : bytes;
}
