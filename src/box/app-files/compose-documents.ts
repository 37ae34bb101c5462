import type { AppFolders } from '../core.ts';
import { readDocuments } from '../rules/compose/compose-file.ts';
import { largestComposeBytes } from './project.ts';

/** The documents of Compose files of an app. Leaves out a file that cannot be read, which is a fault of its own. */
export async function documentsOf(
  folders: Pick<AppFolders, 'readLinked'>,
  directory: string,
  files: readonly string[],
): Promise<unknown[]> {
  const read = (file: string) => {
    const bytes = folders.readLinked(directory, file, largestComposeBytes + 1);
    if (bytes === null || bytes.length > largestComposeBytes) return [];
    return readDocuments([new TextDecoder().decode(bytes)]).catch(() => []);
  };
  return (await Promise.all(files.map(read))).flat();
}

/** Those of the files that Compose reads that are Compose files. */
export function composeFilesIn(reads: readonly string[]): string[] {
  return reads.filter((file) => /\.ya?ml$/i.test(file));
}
