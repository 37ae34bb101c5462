import { join } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { attempt } from '../../../lib/ignore.ts';
import { parseJson } from '../../../lib/json.ts';
import { noList, parseStores } from '../../stores/rules/stores-file.ts';

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
  let warned = '';
  const withCopies = (stores: unknown) => [
    ...own,
    ...parseStores(stores).map(({ copy }) => join(state, 'stores', copy)),
    shipped,
  ];
  const warnOnce = (problem: string) => {
    if (problem !== warned) warn(`the apps of stores are not offered: ${problem}`);
    warned = problem;
  };
  const { load } = makeStateFile(file, largestListBytes, (text) => {
    const stores = text === '' ? [] : parseJson(text);
    if (!Array.isArray(stores)) warnOnce(`${file} ${noList}`);
    return withCopies(stores);
  });
  return () =>
    attempt(load, StorageFailed, ({ message }) => {
      warnOnce(message);
      return withCopies([]);
    });
}
