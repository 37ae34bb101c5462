import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { attempt } from '../../../lib/ignore.ts';
import type { StoppedApps } from '../../engine/ports.ts';
import { makeAppsFile } from './apps-file.ts';

const largestBytes = 1024 * 1024;
const none: ReadonlyMap<string, number> = new Map();

/** `stopped.json`: when each app was stopped, in ms. A file that cannot be read keeps no app from its start. */
export function makeStoppedApps(stateDirectory: string): StoppedApps {
  const isValid = (value: unknown): value is number => Number.isFinite(value);
  const file = makeAppsFile(stateDirectory, 'stopped.json', { largestBytes, isValid });
  return {
    all: () => attempt(file.load, StorageFailed, () => none),
    note: (app, at) => file.save(new Map(file.load()).set(app, at)),
    async forget(app) {
      const left = new Map(file.load());
      if (left.delete(app)) await file.save(left);
    },
  };
}
