import { join, resolve } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { attempt } from '../../../lib/ignore.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { type AppRecord, type ReconcileRecords, StorageFailed } from '../../core.ts';
import type { StoppedApps } from '../../engine/ports.ts';

/**
 * A file `{ apps: { NAME: value } }` of the state directory, which is read again once another process has written it.
 * Values that are not valid are left out. Every failure is a StorageFailed.
 */
export function makeAppsFile<Value>(
  stateDirectory: string,
  name: string,
  { largestBytes, isValid }: { largestBytes: number; isValid(value: unknown): value is Value },
) {
  const file = makeStateFile(join(resolve(stateDirectory), name), largestBytes, (text): ReadonlyMap<string, Value> => {
    const content = parseJson(text);
    const apps = isJsonObject(content) && isJsonObject(content.apps) ? content.apps : {};
    return new Map(Object.entries(apps).filter((entry): entry is [string, Value] => isValid(entry[1])));
  });
  return {
    load: file.load,
    save: (apps: Iterable<readonly [string, Value]>) => file.save({ apps: Object.fromEntries(apps) }),
  };
}

const mostStoppedBytes = 1024 * 1024;
const none: ReadonlyMap<string, number> = new Map();

/** `stopped.json`: when each app was stopped, in ms. A file that cannot be read keeps no app from its start. */
export function makeStoppedApps(stateDirectory: string): StoppedApps {
  const isValid = (value: unknown): value is number => Number.isFinite(value);
  const file = makeAppsFile(stateDirectory, 'stopped.json', { largestBytes: mostStoppedBytes, isValid });
  return {
    all: () => attempt(file.load, StorageFailed, () => none),
    note: (app, at) => file.save(new Map(file.load()).set(app, at)),
    async forget(app) {
      const left = new Map(file.load());
      if (left.delete(app)) await file.save(left);
    },
  };
}

const mostRecordBytes = 64 * 1024 * 1024;

/** `reconciled.json`. A record that is left out costs one `up` of its app. */
export function makeReconcileRecords(stateDirectory: string): ReconcileRecords {
  const file = makeAppsFile(stateDirectory, 'reconciled.json', { largestBytes: mostRecordBytes, isValid: isRecord });
  return { load: () => new Map(file.load()), save: (records) => file.save([...records].sort()) };
}

/** Whether a record has the fields that a plan reads. */
function isRecord(value: unknown): value is AppRecord {
  if (!isJsonObject(value)) return false;
  const { facts, model, inputs, replaced, containers } = value;
  if (!isJsonObject(facts) || !isJsonObject(inputs)) return false;
  if (model !== null && !(isJsonObject(model) && isJsonObject(model.services))) return false;
  return (
    [facts.files, facts.built, replaced, containers].every(Array.isArray) &&
    (containers as unknown[]).every(isJsonObject)
  );
}
