import { decodeUtf8 } from '../rules/text/unicode.ts';
import { type HasDevice, listed } from '../rules/translate/translation.ts';
import {
  type OfferedApp,
  type OpenStore,
  type Store,
  type StoreApp,
  type StoresBox,
  StoreUnreadable,
} from './ports.ts';
import { foldersToMake, furtherFiles, withStore } from './rules/offered-files.ts';
import type { StoreAddress } from './rules/store-address.ts';
import { type Translator, translatorOf } from './rules/translate/translators.ts';
import { mostApps, wantedFiles } from './rules/wanted-files.ts';

/** Reads a store and writes a copy of its apps, translated, unless `before` was made from the same. */
export async function readStore(
  box: StoresBox,
  { name, address }: { name: string; address: StoreAddress },
  before: Store | null,
): Promise<Store> {
  const open = await box.stores.open(address);
  const revision = `${open.revision} ${box.version}`;
  const readAt = box.now().toISOString();
  try {
    // A copy may be missing: a backup of the box has the list of stores only.
    const isThere = before !== null && box.stores.report(before.copy).length > 0;
    if (isThere && before.revision === revision) return { ...before, readAt, problem: null };
    const { apps, report } = await translateStore(name, open, box.stores.hasDevice);
    const copy = await box.stores.write(name, apps, report);
    const counts = { offered: apps.length, leftOut: report.length - apps.length };
    return { name, address: address.address, copy, revision, ...counts, readAt, problem: null };
  } finally {
    await open.close();
  }
}

/** All apps of a store in our form, and what became of each of its folders. */
async function translateStore(
  store: string,
  open: OpenStore,
  hasDevice: HasDevice,
): Promise<{ apps: OfferedApp[]; report: StoreApp[] }> {
  const translator = translatorOf(open.paths);
  if (translator === null) {
    throw new StoreUnreadable(
      'it has the form of no store that boxgate knows: expected Apps/NAME/docker-compose.yml as in CasaOS, or apps/NAME/config.json as in Runtipi',
    );
  }
  const folders = [...wantedFiles(translator, open.paths)];
  if (folders.length > mostApps) throw new StoreUnreadable(`it has ${folders.length} apps; ${mostApps} are the most`);
  const apps = new Map<string, OfferedApp>();
  const report: StoreApp[] = [];
  const pathOf = (folder: string, file: string) => `${translator.folder}/${folder}/${file}`;
  const read = await open.read(folders.flatMap(([folder, files]) => files.map((file) => pathOf(folder, file))));
  for (const [folder, names] of folders) {
    const files = new Map(names.map((file) => [file, read.get(pathOf(folder, file)) ?? null]));
    report.push(await translateApp({ store, translator, folder, files, hasDevice }, apps));
    // A server answers between two apps.
    await new Promise((next) => setImmediate(next));
  }
  return { apps: [...apps.values()], report };
}

type StoreFolder = {
  store: string;
  translator: Translator;
  folder: string;
  files: ReadonlyMap<string, Uint8Array | null>;
  hasDevice: HasDevice;
};

async function translateApp(
  { store, translator, folder, files, hasDevice }: StoreFolder,
  apps: Map<string, OfferedApp>,
): Promise<StoreApp> {
  const leftOut = (reason: string): StoreApp => ({ folder, isOffered: false, reason });
  const unread = [...files].flatMap(([file, bytes]) => (bytes === null ? [file] : []));
  const needed = unread.filter((file) => translator.needs.test(file));
  if (needed.length > 0) return leftOut(`${listed(needed)} has more than 256 kB, or cannot be read`);
  const translation = await translator.translate(folder, textsOf(files), hasDevice);
  if (!translation.taken) return leftOut(translation.reason);
  const { name } = translation;
  if (apps.has(name)) return leftOut(`another app of the store has the name ${name}, too`);
  const further = furtherFiles(files);
  const folders = foldersToMake(translation.folders, files.keys());
  apps.set(name, { name, files: withStore(translation.files, store, further), further, folders });
  const notCopied = unread.filter((file) => file.startsWith('data/'));
  const notes = notCopied.map((file) => `${listed([file])} has more than 256 kB, and is not copied to its folder.`);
  return { folder, isOffered: true, name, notes: [...translation.notes, ...notes] };
}

/** The files that are text: no pictures, and no files that no translation reads. */
function textsOf(files: ReadonlyMap<string, Uint8Array | null>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, bytes] of files) {
    const text = bytes === null ? null : decodeUtf8(bytes);
    if (text !== null) texts.set(file, text);
  }
  return texts;
}
