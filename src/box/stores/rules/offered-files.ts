import { parseJson } from '../../../lib/json.ts';
import { asRecord } from '../../rules/compose/fields.ts';
import { rasterType } from '../../rules/manifest/raster-icon.ts';
import type { AppFiles } from '../../rules/translate/translation.ts';

const keptFolder = /\/\.gitkeep$/;

/** The store's picture beside the manifest, and its files for the app's own folder. */
export function furtherFiles(files: ReadonlyMap<string, Uint8Array | null>): Map<string, Uint8Array> {
  const further = new Map<string, Uint8Array>();
  for (const [file, bytes] of files) {
    const isData = file.startsWith('data/') && !keptFolder.test(file);
    if (bytes !== null && isData) further.set(`app-data/${file}`, bytes);
  }
  const picture = files.get(pictureOf([...files.keys()]) ?? '') ?? null;
  const type = picture === null ? null : rasterType(picture);
  if (picture !== null && type !== null) further.set(`icon.${type.replace('image/', '')}`, picture);
  return further;
}

/** The list of apps contains each drawing, so of hundreds of apps only small ones do. */
const mostOfDrawing = 4096;

/** The files of an app whose manifest names its store, and the picture if there is no small drawing. */
export function withStore(files: AppFiles, store: string, further: ReadonlyMap<string, Uint8Array>): AppFiles {
  const { 'icon.svg': drawing, ...others } = files;
  const manifest = asRecord(parseJson(files['manifest.json']));
  const picture = [...further.keys()].find((file) => file.startsWith('icon.'));
  const isPictured = picture !== undefined && (drawing === undefined || drawing.length > mostOfDrawing);
  const named = `${JSON.stringify({ ...manifest, ...(isPictured && { icon: picture }), store }, null, 2)}\n`;
  return { ...others, 'manifest.json': named, ...(drawing !== undefined && !isPictured && { 'icon.svg': drawing }) };
}

function pictureOf(paths: readonly string[]): string | null {
  return paths.find((path) => /^(?:icon|metadata\/logo)\.(?:png|jpe?g|webp|gif)$/i.test(path)) ?? null;
}

const mostFolders = 50;
const plainFolder = /^(?:app-data|folders)(?:\/[\w.@ -]{1,100}){0,10}$/;

/** The folders to make for an app: those that are `open`, and those that git keeps by an empty file. */
export function foldersToMake(open: readonly string[], files: Iterable<string>): string[] {
  const paths = [...files];
  const kept = paths.filter((file) => keptFolder.test(file)).map((file) => `app-data/${file.replace(keptFolder, '')}`);
  const data = paths.filter((file) => file.startsWith('data/')).map((file) => `app-data/${file}`);
  // A mount may have the name of a file of the store.
  const isFree = (folder: string) => !data.some((file) => folder === file || folder.startsWith(`${file}/`));
  const isPlain = (folder: string) => plainFolder.test(folder) && !/\/\.{1,2}(?:\/|$)/.test(folder);
  return [...new Set([...open, ...kept])].filter((one) => isPlain(one) && isFree(one)).slice(0, mostFolders);
}

/**
 * The mode of a file or folder of an app. Runtipi opens an app's folder to all users, and many containers of its store have
 * a user of their own. Only they reach it, because the folder of all apps is closed.
 */
export function modeOf(path: string, isFolder: boolean): number {
  if (/^(?:app-data|folders)(?:\/|$)/.test(path)) return 0o777;
  return isFolder ? 0o755 : 0o644;
}
