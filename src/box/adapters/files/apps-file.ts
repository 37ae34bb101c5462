import { join, resolve } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';

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
