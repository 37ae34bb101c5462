import { isJsonObject } from '../../../lib/json.ts';
import type { AppRecord, ReconcileRecords } from '../../core.ts';
import { makeAppsFile } from './apps-file.ts';

const largestBytes = 64 * 1024 * 1024;

/** `reconciled.json`. A record that is left out costs one `up` of its app. */
export function makeReconcileRecords(stateDirectory: string): ReconcileRecords {
  const file = makeAppsFile(stateDirectory, 'reconciled.json', { largestBytes, isValid: isRecord });
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
