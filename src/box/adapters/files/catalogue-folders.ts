import { join } from 'node:path';
import { lstatIfThere, readRegularFile } from '../../../lib/files/storage.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { attempt } from '../../../lib/ignore.ts';
import { storeCopies } from '../../rules/manifest/store-copies.ts';

const largestListBytes = 1024 * 1024;

/** Absolute paths. `own`: the owner's own apps. `shipped`: the apps that ship with the box. */
type Places = { own: readonly string[]; state: string; shipped: string };

/**
 * The directories of apps that can be installed: the owner's own, then the copies of the stores in their order, then the
 * shipped apps. `stores.json` may be replaced by another process, so each call looks at it. If it cannot be read, there
 * are no stores, and a warning says so once.
 */
export function makeCatalogueFolders(
  { own, state, shipped }: Places,
  warn: (text: string) => void,
): () => readonly string[] {
  const file = join(state, 'stores.json');
  const without = [...own, shipped];
  let known: { stamp: string; folders: readonly string[] } = { stamp: '', folders: without };
  let warned = '';

  const warnOnce = (problem: string) => {
    if (problem !== warned) warn(`the apps of stores are not offered: ${problem}`);
    warned = problem;
    return without;
  };
  const read = () => {
    const bytes = readRegularFile(file, largestListBytes, 'refused');
    const copies = bytes === null ? null : storeCopies(Buffer.from(bytes).toString('utf8'));
    if (copies === null) return warnOnce(`${file} is not a list of stores; boxgate box store add makes a new one`);
    return [...own, ...copies.map((copy) => join(state, 'stores', copy)), shipped];
  };
  const current = () => {
    const stats = lstatIfThere(file);
    if (stats === null) return without;
    const stamp = `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
    if (known.stamp !== stamp) known = { stamp, folders: read() };
    return known.folders;
  };
  return () => attempt(current, StorageFailed, ({ message }) => warnOnce(message));
}
