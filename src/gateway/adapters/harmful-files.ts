import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type HarmfulFile = { name: string; reason: string };

/**
 * The files of a directory, at any depth, that are not ours and would stop every reload of Traefik, in the order in
 * which it reads them. What cannot be read is one: a link to nowhere, for instance.
 */
export async function findHarmfulFiles(
  directory: string,
  isOurs: (name: string) => boolean,
): Promise<HarmfulFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const found: HarmfulFile[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory()) {
      const inside = await findHarmfulFiles(join(directory, name), () => false);
      found.push(...inside.map((one) => ({ ...one, name: join(name, one.name) })));
    } else if (isReadByTraefik(name) && !isOurs(name)) {
      const reason = await harmOfFile(directory, name);
      if (reason !== null) found.push({ name, reason });
    }
  }
  return found;
}

/** Dot files too, and in any case. */
function isReadByTraefik(name: string): boolean {
  return /\.(ya?ml|toml)$/i.test(name);
}

async function harmOfFile(directory: string, name: string): Promise<string | null> {
  try {
    const text = await readFile(join(directory, name), 'utf8');
    // Whoever keeps no files of their own there is spared the reader of YAML.
    const { harmOf } = await import('../rules/harmful-file.ts');
    return harmOf(name, text);
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}
