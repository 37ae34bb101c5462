import { shownName } from '../../../lib/shown-text.ts';

/** An added store, as `stores.json` has it. The order of the file is the order of the offer. */
export type Store = {
  name: string;
  /** An address of git, or an absolute path. */
  address: string;
  /** The folder in `stores/` with the present copy. */
  copy: string;
  /** What the present copy was made from: commit or digest of a folder, and the version of boxgate that translated. */
  revision: string;
  /** When the present copy was last found to be current. */
  readAt: string;
  /** Why the latest try to read it failed; `null` if it went well. */
  problem: string | null;
  offered: number;
  leftOut: number;
};

/** What became of a folder of the store. `notes` and `reason` are sentences for the owner. */
export type StoreApp =
  | { folder: string; isOffered: true; name: string; notes: string[] }
  | { folder: string; isOffered: false; reason: string };

/** What became of an app, as a line of a table. */
export function reportLine(app: StoreApp): string {
  if (!app.isOffered) return `${shownName(app.folder)}\tleft out\t${app.reason}`;
  return [app.name, 'offered', ...app.notes].join('\t');
}
