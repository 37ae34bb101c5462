import { asList } from '../../../rules/compose/fields.ts';
import { isAppName, projectOfDirectory } from '../../../rules/manifest/app-name.ts';
import type { Draft } from '../../../rules/translate/draft.ts';
import { leaveOut, listed, oneLine } from '../../../rules/translate/translation.ts';

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

const wholeNumber = /^v?\d+(?:[._-]\d+)*$/i;
const startingNumber = /^v?\d+(?:[._-]\d+)*/i;

/**
 * The version of a translated app: `3.0.5` becomes `3.0.5-r134.1`. The store and the translator raise their `counters`
 * with each change, so a mended translation arrives as an update although the app's own version stays the same.
 *
 * `isNewerVersion` compares only numbers and one word. If a version has more, its leading numbers count, and the whole
 * text follows a `+`, which comparisons ignore: `33-apache` becomes `33-r35.1+33-apache`.
 */
export function storeVersion(version: string, counters: readonly number[]): string {
  const text = version.trim().slice(0, 60);
  const revision = `r${counters.join('.')}`;
  if (wholeNumber.test(text)) return `${text}-${revision}`;
  const [numbers] = startingNumber.exec(text) ?? ['0'];
  const whole = text
    .split(/[^\w.-]+/)
    .filter((part) => part !== '')
    .join('-');
  return whole === '' ? `${numbers}-${revision}` : `${numbers}-${revision}+${whole}`;
}
