import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile } from './parse-file.ts';
import type { FileConfiguration } from './shape-of-file.ts';

export type Reading =
  | { files: { file: string; configuration: FileConfiguration }[]; unusable: null }
  | { files: null; unusable: Unusable };

/** The first file, in order, that stops the whole directory. */
export type Unusable = { file: string; reason: string };

const endings = ['.yml', '.yaml', '.toml'];

/**
 * Everything that the directory's files say, in the order of their names, folders at any depth where their name
 * stands; or the first file that cannot be used, because then none is.
 */
export function readDirectory(directory: string, environment: Record<string, string | undefined>): Reading {
  const files: { file: string; configuration: FileConfiguration }[] = [];
  const unusable = readInto(files, directory, environment);
  return unusable === null ? { files, unusable } : { files: null, unusable };
}

function readInto(
  files: { file: string; configuration: FileConfiguration }[],
  directory: string,
  environment: Record<string, string | undefined>,
): Unusable | null {
  for (const entry of sortedEntries(directory)) {
    const file = join(directory, entry.name);
    if (entry.isDirectory()) {
      const unusable = readInto(files, file, environment);
      if (unusable !== null) return unusable;
    } else if (isRead(entry.name)) {
      try {
        files.push({ file, configuration: parseFile(file, readFileSync(file), environment) });
      } catch (error) {
        // A file that cannot be read (a link to nowhere) or used: both stop the directory.
        return { file, reason: (error as Error).message };
      }
    }
  }
  return null;
}

/** Whether a file of this name is read: its ending starts at the last dot, which may be its first letter. */
export function isRead(name: string): boolean {
  return name.includes('.') && endings.includes(name.slice(name.lastIndexOf('.')).toLowerCase());
}

function sortedEntries(directory: string) {
  return readdirSync(directory, { withFileTypes: true }).sort((one, other) =>
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)),
  );
}
