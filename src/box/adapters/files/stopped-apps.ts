import { join, resolve } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { attempt } from '../../../lib/ignore.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { StoppedApps } from '../../engine/ports.ts';

const largestBytes = 1024 * 1024;
const none: ReadonlyMap<string, number> = new Map();

/** `stopped.json`: `{ apps: { NAME: ms } }`. A file that cannot be read keeps no app from its start. */
export function makeStoppedApps(stateDirectory: string): StoppedApps {
  const file = makeStateFile(join(resolve(stateDirectory), 'stopped.json'), largestBytes, appsOf);
  const all = () => attempt(file.load, StorageFailed, () => none);
  return {
    all,
    note: (app, at) => file.save({ apps: Object.fromEntries(new Map(file.load()).set(app, at)) }),
    async forget(app) {
      const left = new Map(file.load());
      if (left.delete(app)) await file.save({ apps: Object.fromEntries(left) });
    },
  };
}

function appsOf(text: string): ReadonlyMap<string, number> {
  const content = parseJson(text);
  const apps = isJsonObject(content) && isJsonObject(content.apps) ? content.apps : {};
  return new Map(Object.entries(apps).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
}
