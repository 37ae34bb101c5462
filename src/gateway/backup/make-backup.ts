import { statSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../lib/files/read-file.ts';
import { lstatIfThere } from '../../lib/files/storage.ts';
import type { Repository } from '../../restic/ports.ts';
import { contentOf, saveStore } from '../store/copy-store.ts';
import { openSqlite } from '../store/sqlite/sqlite-database.ts';
import { type BackupPlace, factsText, parts, tagsFor } from './backup-facts.ts';
import { asOwnerOf, inTemporaryFolder, keptName, regularFiles, runCopy } from './folders.ts';
import { findWireguardFolder } from './wireguard-folder.ts';

/** Makes one snapshot of the whole gateway, which may be running. Returns what the operator has to know. */
export async function makeBackup(repository: Repository, place: BackupPlace, version: string): Promise<string> {
  const isNew = await repository.prepare();
  const wireguard = (await findWireguardFolder(place.wireguardDir))?.path ?? null;
  return inTemporaryFolder(async (folder) => {
    const { counts } = await saveStore(place.store, join(folder, parts.store));
    const { settings, links } = await copySettings(place.settingsFiles, join(folder, parts.settings));
    const routes = await copyRoutes(place, join(folder, parts.routes));
    if (wireguard !== null) await copyWireguard(wireguard, join(folder, parts.wireguard));
    await writeFile(join(folder, parts.facts), factsText(place.domain));
    const tags = tagsFor({ boxes: String(counts.boxes), version, server: hostname() });
    const { id } = await repository.backUp({ paths: [folder], excludes: [], tags });
    return [
      `made the backup ${id.slice(0, 8)} in ${repository.shownAddress}`,
      `  store: ${contentOf(counts)}`,
      `  settings: ${settings.join(', ') || 'no files found'}`,
      ...links.map(
        (file) => `  ${file}: NOT in the backup, because it is a link: name its target in GATEWAY_BACKUP_ALSO`,
      ),
      `  routes: ${routes} files of ${place.routesDir}`,
      `  wg-easy: ${wireguard ?? 'NOT in the backup: no container here has /etc/wireguard; name its folder with GATEWAY_WIREGUARD_DIR'}`,
      ...(isNew ? ['Keep the key of the backups in another place: boxgate gateway backup key'] : []),
    ].join('\n');
  });
}

/** Copies the files that exist, under their whole paths, with owner and mode. A link could name any file of the machine. */
async function copySettings(files: readonly string[], target: string) {
  await mkdir(target);
  const settings = files.filter((file) => lstatIfThere(file)?.isFile());
  if (settings.length > 0) await runCopy(['-p', '-P', '--parents', '--', ...settings, target]);
  return { settings, links: files.filter((file) => lstatIfThere(file)?.isSymbolicLink()) };
}

/** Copies one file after the other, because a running gateway replaces and removes them. */
async function copyRoutes({ routesDir, stateDir }: BackupPlace, target: string): Promise<number> {
  const files = await asOwnerOf(stateDir, async () =>
    regularFiles(routesDir).filter(({ name }) => !name.endsWith('.tmp')),
  );
  for (const { name, bytes } of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await writeFile(join(target, name), bytes);
  }
  return files.length;
}

/** SQLite copies the databases, because wg-easy may be writing into them. */
async function copyWireguard(folder: string, target: string): Promise<void> {
  await runCopy(['-a', '--', `${folder}/.`, target]);
  for (const name of await readdir(target)) {
    if (name.startsWith(keptName)) await rm(join(target, name), { recursive: true });
    else if (isSqlite(join(folder, name))) await copyDatabase(join(folder, name), join(target, name));
  }
}

function isSqlite(path: string): boolean {
  const start = readRegularFile(path, 16, 'refused');
  return Buffer.isBuffer(start) && start.toString('latin1') === 'SQLite format 3\0';
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const { uid, gid, mode } = statSync(to);
  for (const end of ['', '-wal', '-shm', '-journal']) await rm(to + end, { force: true });
  const database = openSqlite(from, { readOnly: true });
  try {
    database.all('VACUUM INTO $1', [to]);
  } finally {
    database.close();
  }
  await chown(to, uid, gid);
  await chmod(to, mode);
}
