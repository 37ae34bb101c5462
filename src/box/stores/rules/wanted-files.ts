import type { Translator } from './translate/translators.ts';

/** Larger files of a store are not read. */
export const maxStoreFileBytes = 256 * 1024;
/** The most that the files of all its apps may have. */
export const mostStoreBytes = 64 * 1024 * 1024;
export const mostApps = 2000;
const mostFilesOfApp = 100;
/** The most bytes of a name; file systems take 255. */
const longestName = 200;
const longestPath = 1000;

/** What of an app's folder a translation may need: at most these are read, and nothing else of the store. */
const wanted =
  /^(?:docker-compose\.(?:ya?ml|json)|config\.json|metadata\/description\.md|(?:icon|metadata\/logo)\.(?:svg|png|jpe?g|webp|gif)|data\/.*)$/i;

/** The files to read of each app of a store, by the app's folder. Paths in the folder. */
export function wantedFiles({ folder }: Translator, paths: Iterable<string>): Map<string, string[]> {
  const apps = new Map<string, string[]>();
  for (const path of paths) {
    const [top, app, ...rest] = path.split('/');
    if (top !== folder || app === undefined || rest.length === 0) continue;
    const inApp = rest.join('/');
    const files = apps.get(app) ?? [];
    if (isPlain(path) && wanted.test(inApp) && files.length < mostFilesOfApp) files.push(inApp);
    apps.set(app, files);
  }
  return new Map([...apps].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Git itself allows any name in a folder of a repository, also one that leads out of it. */
function isPlain(path: string): boolean {
  const isShort = path.split('/').every((part) => Buffer.byteLength(part) <= longestName);
  return isShort && path.length <= longestPath && !/(?:^|\/)\.{0,2}(?:\/|$)|[\p{Cc}\ufffd\\]/u.test(path);
}
