import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { namesIn, onStorage } from '../../../lib/files/storage.ts';
import type { OwnPlaces } from '../ports.ts';

const settingsFolder = '/etc/boxgate';
/** What an owner sets on the pages. */
const settingsInState = ['https.json', 'https-dns.env', 'notify-address', 'stores.json'];

/** @param catalogue - the folders of the owner's own apps */
export function makeOwnPlaces(catalogue: readonly string[], state: string): OwnPlaces {
  const folders = catalogue.map((folder) => resolve(folder));
  const settings = [settingsFolder, ...settingsInState.map((name) => join(resolve(state), name))];
  return {
    catalogue: folders,
    // Restic would copy a link, and not the folder that it leads to.
    find: () => [...settings, ...folders].filter((path) => existsSync(path)).map((path) => realpathSync(path)),
    isEmpty: (folder) => namesIn(folder).length === 0,
    makeParent: (folder) =>
      onStorage(`cannot make ${dirname(folder)}`, async () => {
        makeFolders(dirname(folder), 0o755);
      }),
  };
}
