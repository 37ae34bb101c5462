import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile } from './parse-file.ts';
import type { FileConfiguration } from './shape-of-file.ts';

export type Reading =
  | { files: { file: string; configuration: FileConfiguration }[]; unusable: null }
  | { files: null; unusable: Unusable };

/** The first invalid file in Traefik's reading order. */
export type Unusable = { file: string; reason: string };

const endings = ['.yml', '.yaml', '.toml'];

/**
 * Reads all files in the order of their names, with nested folders; or returns the first invalid file, because then
 * none is used.
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
  const entries = attempt(() => sortedEntries(directory));
  if (entries.value === null) return { file: directory, reason: entries.reason };
  for (const entry of entries.value) {
    const file = join(directory, entry.name);
    if (entry.isDirectory()) {
      const unusable = readInto(files, file, environment);
      if (unusable !== null) return unusable;
    } else if (isRead(entry.name)) {
      const read = attempt(() => parseFile(file, readFileSync(file), environment));
      if (read.value === null) return { file, reason: read.reason };
      files.push({ file, configuration: read.value });
    }
  }
  return null;
}

/** A file that cannot be read or used blocks the whole directory. */
function attempt<T>(make: () => T): { value: T; reason: null } | { value: null; reason: string } {
  try {
    return { value: make(), reason: null };
  } catch (error) {
    return { value: null, reason: (error as Error).message };
  }
}

/** Whether Traefik reads files of this name: the extension starts at the last dot, which may be the first character. */
export function isRead(name: string): boolean {
  return name.includes('.') && endings.includes(name.slice(name.lastIndexOf('.')).toLowerCase());
}

function sortedEntries(directory: string) {
  return readdirSync(directory, { withFileTypes: true }).sort((one, other) =>
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)),
  );
}
