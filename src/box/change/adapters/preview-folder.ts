import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { lstatIfThere, namesIn } from '../../../lib/files/storage.ts';
import { writeSynced } from '../../../lib/files/write-file.ts';
import type { FileChange } from '../ports.ts';

const largestCopyBytes = 1024 * 1024;

/**
 * Fills a folder with the files that Compose would read in an app's directory after a refresh: the bundle's files and
 * directories, the owner's other files, and the planned `.env`. Small files are copied, everything else is linked.
 */
export async function fillPreview(
  folder: string,
  app: string,
  { source, plan: { bundle, blocked, steps }, env }: FileChange,
): Promise<void> {
  const fromBundle = new Set(
    [...bundle.keys()].filter((path) => !blocked.includes(path)).map((path) => path.split('/', 1)[0] ?? ''),
  );
  const gone = new Set(steps.filter(({ act }) => act === 'delete').map(({ path }) => path));
  const ofOwner = namesIn(app).filter((name) => name !== '.env' && !gone.has(name) && !fromBundle.has(name));
  for (const name of fromBundle) await show(join(source, name), join(folder, name));
  for (const name of ofOwner) await show(join(app, name), join(folder, name));
  if (env !== null) await writeSynced(join(folder, '.env'), env, 0o600, 'w');
}

async function show(from: string, to: string): Promise<void> {
  const stats = lstatIfThere(from);
  if (stats?.isFile() && stats.size <= largestCopyBytes) await copyFile(from, to);
  else await symlink(from, to);
}
