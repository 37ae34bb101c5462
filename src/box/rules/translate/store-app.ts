import { asList } from '../compose/fields.ts';
import { isAppName, projectOfDirectory } from '../manifest/app-name.ts';
import type { Draft } from './draft.ts';
import { leaveOut, listed, oneLine } from './translation.ts';

/** The app's name here: also the name of its directory and of its Compose project, so that no two apps share one. */
export function ownAppName(id: unknown): string {
  if (typeof id !== 'string' || !isAppName(id) || projectOfDirectory(id) !== id) {
    leaveOut(`${JSON.stringify(oneLine(id))} is no name for a directory of an app: a-z, 0-9, "-" and "_" make one`);
  }
  return id;
}

/** Notes that not every machine can run the app. */
export function supportedNote(draft: Draft, architectures: unknown): void {
  const all = asList(architectures)
    .map((one) => oneLine(one))
    .filter((one) => one !== '');
  if (all.length === 0 || ['amd64', 'arm64'].every((one) => all.includes(one))) return;
  draft.notes.add(`The store says that it runs on ${listed(all)} only.`);
}
