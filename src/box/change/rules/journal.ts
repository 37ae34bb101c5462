import type { StartStep } from '../../engine/rules/start-order.ts';

/**
 * What is left to do of a change, written before its first effect that a crash could leave half done. Any process can
 * finish it. Only one change is under way at a time, so there is one journal; those that cannot be finished yet wait
 * aside, one an app.
 */
export type ChangeJournal = {
  app: string;
  /** For the app's list of changes. */
  operation: string;
  /**
   * `forth`: everything is prepared. Files and folders are exchanged, and images get their tags. `back`: files are put
   * back, prepared folders are discarded, containers are started, and the data of the snapshot comes back with its
   * images. A new version that stayed up turns the journal of its update from `back` to `forth`.
   */
  way: Way;
  files?: FileExchange;
  folders?: ReplacedFolder[];
  /** The present folder of the app goes to the trash. */
  toTrash?: boolean;
  /** The containers that the change has stopped. */
  starts?: StartStep[];
  /** The backup with the data of before. */
  snapshot?: string;
  /** The images that belong to the folders, or to the snapshot. */
  images?: FormerImage[];
};

export type Way = 'forth' | 'back';

/** Files of an app's directory to exchange. The new ones lie complete in the staging folder. */
export type FileExchange = {
  directory: string;
  staging: string;
  steps: FileStep[];
  /** The record of the install, written once all steps are done; `null` if it stays. */
  record: { path: string; text: string } | null;
};

export type FileStep = {
  /** Relative to the app's directory. */
  path: string;
  /** The name of the staged file; `null` if the step only deletes. */
  staged: string | null;
  keepAs: string | null;
  /** Whether the path existed before. */
  existed: boolean;
  /** Whether the `keepAs` path existed before with the same content. */
  keptBefore: boolean;
};

/**
 * A folder that a restore replaces. All four paths are on one file system. At a mount point the entries are exchanged,
 * and the work folder is inside.
 */
export type ReplacedFolder = {
  target: string;
  /** The work folder, beside the target. */
  root: string;
  /** Where restic puts the new content. */
  staged: string;
  /** Where the old content goes until it is erased. */
  aside: string;
  isMountPoint?: boolean;
};

/** Images that ran before, by the tag that they had. */
export type FormerImage = { from: string; tag: string };

/** Whether a journal names more than files, so that the engine is needed to finish it. */
export function needsEngine({ way, folders, starts, snapshot }: ChangeJournal): boolean {
  return folders !== undefined || (way === 'back' && (starts !== undefined || snapshot !== undefined));
}
