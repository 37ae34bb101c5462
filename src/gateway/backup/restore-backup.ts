import { existsSync, readFileSync } from 'node:fs';
import { chown, lstat, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolders } from '../../lib/files/make-folders.ts';
import { readRegularFile, readTextIfThere } from '../../lib/files/read-file.ts';
import { lstatIfThere } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import type { Repository, Snapshot } from '../../restic/ports.ts';
import type { StoreAddress } from '../gateway-settings.ts';
import { contentOf, isEmptyStore, loadStore, saveStore } from '../store/copy-store.ts';
import { openStore, openWhole } from '../store/open-store.ts';
import { type BackupPlace, domainIn, gatewayTag, parts, tagOf } from './backup-facts.ts';
import { asOwnerOf, inTemporaryFolder, keepPlainFiles, keptName, regularFiles, replaceContent } from './folders.ts';
import { findWireguardFolder } from './wireguard-folder.ts';

const mostSettingsBytes = 1024 * 1024;
const mostFactsBytes = 64 * 1024;

/**
 * Restores a gateway from a snapshot, the latest if `id` is `null`. A restore that was cut off can be repeated.
 * @param readPlace - reads the settings; called again after the files with settings are restored
 * @returns what was restored where, and what has to be the same as before
 */
export async function restoreBackup(
  repository: Repository,
  id: string | null,
  readPlace: () => BackupPlace,
  keepsSettings: boolean,
): Promise<string> {
  const snapshot = snapshotOf(await repository.snapshots(gatewayTag), id);
  return inTemporaryFolder(async (folder) => {
    await repository.restore(snapshot.id, folder);
    await keepPlainFiles(folder);
    const backup = join(folder, resolve('/', snapshot.paths[0] ?? ''));
    const domain = domainIn(readTextIfThere(join(backup, parts.facts), mostFactsBytes) ?? '');
    const saved = join(backup, parts.store);
    if (!existsSync(saved)) throw new Error('the backup has no store: choose another one');
    await (await openStore({ kind: 'file', path: saved })).close(); // Migrates an older one, refuses a newer one.
    const wireguard = existsSync(join(backup, parts.wireguard))
      ? await wireguardTarget(readPlace().wireguardDir)
      : null;
    await refuseRunning(readPlace().store);

    // Only files that this server knows: a snapshot could name any file of the machine.
    const { settingsFiles, stateDir } = readPlace();
    const inBackup = keepsSettings ? [] : regularFiles(join(backup, parts.settings)).map(({ name }) => `/${name}`);
    const known = settingsFiles.filter((file) => inBackup.includes(file));
    const unknown = inBackup.filter((file) => !known.includes(file));
    const settings = await restoreSettings(known, backup, stateDir);
    const place = readPlace();
    const { counts, kept } = await restoreStore(saved, place, join(folder, 'present.db')).catch((error: Error) => {
      const hint = settings.length === 0 ? '' : '; the settings are restored: correct them and use --keep-settings';
      throw new Error(`${error.message}${hint}`, { cause: error });
    });
    const routes = await restoreRoutes(join(backup, parts.routes), place);
    const before = wireguard && (await replaceContent(wireguard, join(backup, parts.wireguard), new Date()));
    return [
      `restored the backup ${snapshot.shortId} of ${snapshot.time.toISOString()}, made on ${tagOf(snapshot.tags, 'server')}`,
      `  store: ${contentOf(counts)}${kept === null ? '' : `; what was there before is in ${kept}`}`,
      `  settings: ${settings.length === 0 ? 'none was changed' : `${settings.join(', ')}; what was there before has ${keptName} after its name`}`,
      ...unknown.map((file) => `  ${file}: NOT restored, because ${reasonFor(file, place)}`),
      `  routes: ${routes}`,
      before === null
        ? '  wg-easy: NOT in the backup: boxes come back only if wg-easy has the keys that it had'
        : `  wg-easy: ${wireguard}; what was there before is in ${before}`,
      ...nextSteps(domain, keepsSettings ? place.domain : null),
    ].join('\n');
  });
}

/** @param place - by the settings that were just restored */
function reasonFor(file: string, { settingsFiles }: BackupPlace): string {
  return settingsFiles.includes(file)
    ? 'only the settings of the backup name it, and they are in force from now on: the same command once more restores it'
    : 'no setting of this server names it: add it to GATEWAY_BACKUP_ALSO';
}

function nextSteps(before: string | null, now: string | null): string[] {
  const steps = `Start wg-easy, then the gateway. Boxes come back when *.${before ?? 'DOMAIN'} and the host that is set in wg-easy lead to this server, with the same UDP port.`;
  if (before === null || now === null || before === now) return [steps];
  return [steps, `GATEWAY_DOMAIN is ${now} here: with it, every published address changes from ${before}.`];
}

function snapshotOf(snapshots: readonly Snapshot[], id: string | null): Snapshot {
  const found = snapshots.filter((one) => id === null || (id.length >= 4 && one.id.startsWith(id)));
  const snapshot = found.at(-1);
  if (snapshot !== undefined && (id === null || found.length === 1)) return snapshot;
  const problem = id === null ? 'there is no backup of a gateway' : `there is no backup ${JSON.stringify(id)}`;
  throw new Error(`${problem}; boxgate gateway backup list shows all`);
}

async function wireguardTarget(named: string | null): Promise<string> {
  const found = await findWireguardFolder(named);
  if (found === null || !existsSync(found.path)) {
    const problem = found === null ? 'no container here has /etc/wireguard' : `there is no folder ${found.path}`;
    throw new Error(
      `the backup has the files of wg-easy, but ${problem}: create its container without starting it, or name the folder with GATEWAY_WIREGUARD_DIR`,
    );
  }
  if (found.runningIn !== null) throw new Error(`wg-easy is running: docker stop ${found.runningIn}`);
  return found.path;
}

async function refuseRunning(address: StoreAddress): Promise<void> {
  if (address.kind === 'file' && !existsSync(address.path)) return;
  await (await openWhole(address, 'idle')).close();
}

/** Replaces the content of the store in one transaction, and first keeps a copy in the state directory. */
async function restoreStore(saved: string, { store, stateDir }: BackupPlace, temporary: string) {
  if (await isEmptyStore(store)) return { ...(await loadStore(saved, store)), kept: null };
  await saveStore(store, temporary);
  const kept = join(stateDir, `gateway.db${keptName}`);
  await writeFileAtomic(kept, readFileSync(temporary), 0o600);
  return { ...(await loadStore(saved, store)), kept };
}

/**
 * Restores the files that differ. An existing file keeps owner and mode. A new one gets those of the backup, but others may
 * not write it, and the gateway's user, whose id may be another one on this server, is the owner of the state directory.
 */
async function restoreSettings(files: readonly string[], backup: string, stateDir: string): Promise<string[]> {
  const restored: string[] = [];
  for (const file of files) {
    const source = join(backup, parts.settings, file);
    const bytes = readRegularFile(source, mostSettingsBytes, 'refused');
    if (typeof bytes === 'string') continue;
    const before = readRegularFile(file, mostSettingsBytes, 'refused');
    if (Buffer.isBuffer(before) && before.equals(bytes)) continue;
    const present = before === 'nothing' ? null : await keepPresent(file, before);
    makeFolders(dirname(file), 0o755);
    const saved = await lstat(source);
    const { uid, gid } = lstatIfThere(stateDir) ?? saved;
    const owner = present ?? { uid: saved.uid && uid, gid: saved.gid && gid };
    await writeFileAtomic(file, bytes, present?.mode ?? saved.mode & 0o644);
    await chown(file, owner.uid, owner.gid);
    restored.push(file);
  }
  return restored;
}

/** Keeps what is at the path beside it. Returns owner and mode of a file; `null` for a link, which stays one. */
async function keepPresent(file: string, bytes: Buffer | 'no file') {
  if (bytes === 'no file') {
    await rename(file, `${file}${keptName}`);
    return null;
  }
  const { uid, gid, mode } = await lstat(file);
  await writeFileAtomic(`${file}${keptName}`, bytes, mode & 0o777);
  await chown(`${file}${keptName}`, uid, gid);
  return { uid, gid, mode: mode & 0o777 };
}

/** Traefik watches the folder, so it stays. At its start the gateway removes route files that are not in its store. */
async function restoreRoutes(from: string, { routesDir, stateDir }: BackupPlace): Promise<string> {
  const files = regularFiles(from).filter(({ name }) => /\.(?:ya?ml|toml)$|^\.boxgate\//i.test(name));
  const isNew = lstatIfThere(routesDir) === null;
  await asOwnerOf(stateDir, async () => {
    makeFolders(routesDir, 0o755);
    for (const { name, bytes } of files) {
      const path = join(routesDir, name);
      makeFolders(dirname(path), 0o755);
      await writeFileAtomic(path, bytes, 0o644);
    }
  });
  const traefik = isNew ? 'restart Traefik if it runs, because this folder is new' : 'Traefik needs no restart';
  return `${files.length} files in ${routesDir}; ${traefik}`;
}
