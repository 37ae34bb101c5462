import { parseJson } from '../../../lib/json.ts';
import { asRecord } from '../../rules/compose/fields.ts';
import { rasterType } from '../../rules/manifest/raster-icon.ts';
import type { AppFiles } from './translation.ts';

/** The store's picture beside the manifest, and its files for the app's own folder. */
export function furtherFiles(files: ReadonlyMap<string, Uint8Array | null>): Map<string, Uint8Array> {
  const further = new Map<string, Uint8Array>();
  for (const [file, bytes] of files)
    if (bytes !== null && file.startsWith('data/')) further.set(`app-data/${file}`, bytes);
  const picture = files.get(pictureOf([...files.keys()]) ?? '') ?? null;
  const type = picture === null ? null : rasterType(picture);
  if (picture !== null && type !== null) further.set(`icon.${type.replace('image/', '')}`, picture);
  return further;
}

/** The files of an app whose manifest names its store, and the picture if there is no drawing. */
export function withStore(files: AppFiles, store: string, further: ReadonlyMap<string, Uint8Array>): AppFiles {
  const manifest = asRecord(parseJson(files['manifest.json']));
  const picture = [...further.keys()].find((file) => file.startsWith('icon.'));
  const icon = files['icon.svg'] === undefined && picture !== undefined ? { icon: picture } : {};
  return { ...files, 'manifest.json': `${JSON.stringify({ ...manifest, ...icon, store }, null, 2)}\n` };
}

/** The picture of an app among its files, if the store has one. */
function pictureOf(paths: readonly string[]): string | null {
  return paths.find((path) => /^(?:icon|metadata\/logo)\.(?:png|jpe?g|webp|gif)$/i.test(path)) ?? null;
}
