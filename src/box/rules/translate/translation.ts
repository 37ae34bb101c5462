import { shownName, shownText } from '../../../lib/shown-text.ts';

/** The text files of one app in a store, by their path in the app's folder. The caller bounds their number and size. */
export type StoreFiles = ReadonlyMap<string, string>;

/** The files that make an app here. `icon.svg` is left out without an icon that the box shows. */
export type AppFiles = {
  'manifest.json': string;
  'compose.yaml': string;
  '.env.example': string;
  'icon.svg'?: string;
};

/** `notes`: what was left out or changed, and why. `folders`: those that the users of all containers may write. */
export type TakenApp = { taken: true; name: string; files: AppFiles; folders: string[]; notes: string[] };
export type LeftOutApp = { taken: false; reason: string };
export type Translation = TakenApp | LeftOutApp;

export type HasDevice = (path: string) => boolean;

/** Reads the files of one app in a store. `folder` is the name of the app's folder in the store. Never throws. */
export type Translate = (folder: string, files: StoreFiles, hasDevice?: HasDevice) => Promise<Translation>;

class LeftOut extends Error {}

/** Ends a translation: the app cannot be offered. The reason goes on after "it is left out because". */
export function leaveOut(reason: string): never {
  throw new LeftOut(reason);
}

/** The result of a translation, which may have ended with `leaveOut`. */
export async function translated<T>(work: () => Promise<T>): Promise<T | LeftOutApp> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LeftOut) return { taken: false, reason: error.message };
    throw error;
  }
}

/** A text of the store on one line, without invisible characters, and not longer than `most` characters. */
export function oneLine(value: unknown, most = 200): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return shortened(shownName(text.replaceAll(/\s+/g, ' ').trim()), most);
}

export function longText(value: unknown): string {
  return typeof value === 'string' ? shortened(shownText(value.replaceAll('\r', '').trim()), 6000) : '';
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text.toWellFormed();
}

/** Texts of the store for a note, with commas; those above `most` are counted. */
export function listed(texts: Iterable<string>, most = 8): string {
  const all = [...new Set(texts)].map((text) => shownName(text).toWellFormed());
  return all.length > most ? `${all.slice(0, most).join(', ')} and ${all.length - most} more` : all.join(', ');
}
