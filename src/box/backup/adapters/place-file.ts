import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { lstatIfThere, onStorage } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { type Repository, type RepositoryPlace, ResticFailed } from '../../../restic/ports.ts';
import type { DiskMemory } from '../../engine/ports.ts';
import type { BackupPlaces } from '../ports.ts';
import {
  addressOf,
  type BackupPlace,
  type PlaceSettings,
  parsePlaces,
  placesText,
  sshOption,
} from '../rules/backup-place.ts';
import { defaultKeep, type Keep } from '../rules/backups-to-keep.ts';

const largestFileBytes = 256 * 1024;

type Parts = {
  /** What counts whatever the file says; `null` for nothing. */
  fixedAddress: string | null;
  fixedKeep: Keep | null;
  disks: DiskMemory;
  /** The place of an address of restic. */
  named(address: string): RepositoryPlace;
  repositoryAt(place: () => RepositoryPlace): Repository;
};

/** `backup-place.json`, which only root reads: it has the credentials of the place. */
export function makePlaceFile(
  state: string,
  { fixedAddress, fixedKeep, disks, named, repositoryAt }: Parts,
): BackupPlaces & { present(): RepositoryPlace } {
  const isFixed = fixedAddress !== null;
  const path = join(state, 'backup-place.json');
  const file = makeStateFile(path, largestFileBytes, (text) => parsePlaces(text));
  const load = (): PlaceSettings => file.load() ?? { place: null, keep: null };
  const change = (settings: Partial<PlaceSettings>) => file.save(placesText({ ...load(), ...settings }));
  const chosen = () => (isFixed ? null : load().place);
  const openable = (place: BackupPlace) =>
    place.kind === 'address' ? named(place.address) : repositoryPlace(place, state, disks);
  const present = (): RepositoryPlace => {
    if (!isFixed && file.load() === undefined) return damagedPlace(path);
    return openable(chosen() ?? { kind: 'address', address: fixedAddress ?? join(state, 'backups') });
  };
  return {
    isFixed,
    chosen,
    choose: (place) => change({ place }),
    at: (place) => repositoryAt(() => openable(place)),
    present,
    folder() {
      const { address } = present();
      return address.startsWith('/') ? address : null;
    },
    keep: () => ({ keep: fixedKeep ?? load().keep ?? defaultKeep, isFixed: fixedKeep !== null }),
    setKeep: (keep) => change({ keep }),
  };
}

/** The backups must not go elsewhere because the file is damaged. */
function damagedPlace(address: string): RepositoryPlace {
  const text = `${address} is damaged: choose the place of the backups anew`;
  return { address, options: [], ready: () => Promise.reject(new ResticFailed(text, 'failed')) };
}

function repositoryPlace(
  place: Exclude<BackupPlace, { kind: 'address' }>,
  state: string,
  disks: DiskMemory,
): RepositoryPlace {
  const placed = (ready: RepositoryPlace['ready'], options: string[] = []) => {
    return { address: addressOf(place), options, ready };
  };
  switch (place.kind) {
    case 'disk':
      return placed(async () => {
        refuseMissingDisk(place, disks);
        return {};
      });
    case 'sftp': {
      const files = sshFiles(state, place.hostKey);
      const ready = () =>
        onStorage(`cannot write ${files.knownHosts}`, async () => {
          await mkdir(files.folder, { recursive: true, mode: 0o700 });
          await writeFileAtomic(files.knownHosts, `${files.alias} ${place.hostKey}\n`, 0o600);
          return {};
        });
      return placed(ready, ['-o', sshOption(place, files)]);
    }
    case 's3':
      return placed(async () => ({ AWS_ACCESS_KEY_ID: place.accessKey, AWS_SECRET_ACCESS_KEY: place.secret }));
    case 'rest':
      return placed(async () => ({}));
  }
}

/** The key pair for servers with SSH, and the file with the only key that a server may have. */
export function sshFiles(state: string, hostKey: string) {
  const folder = join(state, 'backup-ssh');
  const alias = `boxgate-${createHash('sha256').update(hostKey).digest('hex').slice(0, 16)}`;
  return { folder, key: join(folder, 'id_ed25519'), alias, knownHosts: join(folder, alias) };
}

/** A link in the place of the folder could lead root anywhere, and an empty mount point is on the disk of the system. */
function refuseMissingDisk({ mount, folder }: Extract<BackupPlace, { kind: 'disk' }>, disks: DiskMemory): void {
  if (!disks.look().isMountPoint(mount)) {
    throw new ResticFailed(`no disk is mounted at ${mount}: connect the disk of the backups`, 'no-repository');
  }
  let path = mount;
  for (const name of folder.split('/')) {
    path = join(path, name);
    const stats = lstatIfThere(path);
    if (stats !== null && !stats.isDirectory()) {
      throw new ResticFailed(`${path} is no folder: remove it, so that the backups can be there`, 'no-repository');
    }
  }
}
