import type { AppFolders, Core } from '../core.ts';
import type { Action } from '../engine/rules/actions.ts';
import { readDocuments } from '../rules/compose/compose-file.ts';
import { unsetBySense } from '../rules/compose/dollar-signs.ts';
import type { Fields } from '../rules/compose/fields.ts';
import type { ServicePowers } from '../rules/compose/root-powers.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { largestComposeBytes, type Project } from './project.ts';

/** What Compose said of a project that an owner should know: variables that nothing sets, and powers as good as root. */
export async function projectWarnings(
  { folders }: Pick<Core, 'folders'>,
  target: string,
  { settings }: Manifest,
  envText: string,
  { unset, powers, reads }: Pick<Project, 'unset' | 'powers' | 'reads'>,
): Promise<Action[]> {
  const directory = folders.path(target);
  const { names, texts } = unsetBySense(unset, {
    documents: unset.length === 0 ? [] : await documentsOf(folders, directory, composeFilesIn(reads)),
    env: { file: '.env', text: envText },
    isSecret: secretKeys(settings),
  });
  const shown = shownPowers(folders, { directory, reads }, powers);
  const empty = `nothing sets ${names.join(', ')}, so the containers get an empty text; add a line to ${directory}/.env`;
  const details = [...(names.length === 0 ? [] : [empty]), ...texts, ...(shown === null ? [] : [shown])];
  return details.map((detail) => ({ kind: 'warn', target, detail }));
}

/** Names the powers that make an app as good as root, such as to write one of its own files, which `reads` lists. */
export function shownPowers(
  folders: Pick<AppFolders, 'finderOf'>,
  { directory, reads }: { directory: string; reads: readonly string[] },
  found: readonly ServicePowers[],
): string | null {
  const fileAt = folders.finderOf(directory, reads);
  const shown = found.flatMap(({ service, powers, writes }) => {
    const [written] = [...writes].flatMap((place) => fileAt(place) ?? []);
    const all = [...powers, ...(written === undefined ? [] : [`may write its own ${written}`])];
    return all.length === 0 ? [] : [`${service} (${all.join(', ')})`];
  });
  return shown.length === 0 ? null : `as good as root on the box: ${shown.join(', ')}`;
}

/** The documents of Compose files of an app. Leaves out a file that cannot be read, which is a fault of its own. */
export async function documentsOf(
  folders: Pick<AppFolders, 'readLinked'>,
  directory: string,
  files: readonly string[],
): Promise<Fields[]> {
  const read = (file: string) => {
    const bytes = folders.readLinked(directory, file, largestComposeBytes + 1);
    if (bytes === null || bytes.length > largestComposeBytes) return [];
    return readDocuments([new TextDecoder().decode(bytes)]).catch(() => []);
  };
  return (await Promise.all(files.map(read))).flat();
}

export function composeFilesIn(reads: readonly string[]): string[] {
  return reads.filter((file) => /\.ya?ml$/i.test(file));
}
