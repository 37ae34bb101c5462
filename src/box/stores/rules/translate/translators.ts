import type { Translate } from '../../../rules/translate/translation.ts';
import { translateCasaos } from './casaos.ts';
import { translateRuntipi } from './runtipi.ts';

export type Translator = {
  id: string;
  /** The folder of the store that has one folder for each app. */
  folder: string;
  /** The file that each app of such a store has. */
  file: RegExp;
  /** The files without which an app cannot be translated, if it has them. */
  needs: RegExp;
  translate: Translate;
};

const composeFile = /^docker-compose\.ya?ml$/;

export const translators: readonly Translator[] = [
  { id: 'casaos', folder: 'Apps', file: composeFile, needs: composeFile, translate: translateCasaos },
  {
    ...{ id: 'runtipi', folder: 'apps', file: /^config\.json$/, translate: translateRuntipi },
    needs: /^(?:config\.json|docker-compose\.(?:json|ya?ml))$/,
  },
];

/** The translator for a store with these files; `null` if it has the form of none. */
export function translatorOf(paths: Iterable<string>): Translator | null {
  for (const path of paths) {
    const [folder, app, file, ...more] = path.split('/');
    if (app === undefined || file === undefined || more.length > 0) continue;
    const found = translators.find((one) => one.folder === folder && one.file.test(file));
    if (found !== undefined) return found;
  }
  return null;
}
