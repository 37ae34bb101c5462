import type { RefreshPlan } from '../apps/rules/refresh-plan.ts';
import type { ChangeJournal, ReplacedFolder } from './rules/journal.ts';

/** A folder to be replaced by what a snapshot has at `path`. */
export type FilledFolder = ReplacedFolder & { path: string };

/** Every failure is a StorageFailed. */
export type FolderExchange = {
  /** The work that is under way, or was cut off. */
  journal(): ChangeJournal | null;
  /** `null` removes it. */
  writeJournal(journal: ChangeJournal | null): Promise<void>;
  /** Plans to replace a folder by what a snapshot has at `path`. For an app's directory, `app` is its name. */
  plan(target: string, path: string, app: string | null, isMountPoint?: boolean): FilledFolder;
  begin(folders: readonly ReplacedFolder[]): Promise<void>;
  /** Makes the new content durable. */
  sync(folders: readonly ReplacedFolder[]): Promise<void>;
  /** Can be repeated. */
  swap(folders: readonly ReplacedFolder[]): Promise<void>;
  discard(folders: readonly ReplacedFolder[]): Promise<void>;
};

/**
 * The journals of apps whose work cannot be finished yet. They are set aside, so that other apps can be changed. Every
 * failure is a StorageFailed.
 */
export type WaitingWork = {
  all(): ChangeJournal[];
  apps(): string[];
  /** The backup whose data of before an update is still to be put back: what the app writes meanwhile would be lost. */
  snapshotOf(app: string): string | undefined;
  /** The file of an app's journal that waits to go back. */
  file(app: string): string;
  setAside(app: string): Promise<void>;
  /** Makes the work of an app the one that is under way. */
  takeUp(app: string): Promise<void>;
};

/** The files of a bundled directory that take the place of the installed ones; `env` becomes the `.env`. */
export type FileChange = { source: string; plan: RefreshPlan; env: string | null };

/**
 * Puts bundled apps in place; `source` is the bundled directory. A crash leaves an app's directory complete or
 * unchanged.
 */
export type InstallFiles = {
  /**
   * Copies a bundled app that is not installed yet; `env` becomes its `.env`. `check` sees the complete directory before
   * it is put in place, and its error leaves nothing behind. Returns the paths that were left out.
   */
  place<T>(
    name: string,
    source: string,
    env: string | null,
    check: (directory: string) => Promise<T>,
  ): Promise<{ leftOut: string[]; checked: T }>;
  /** Runs `use` with a temporary file of this text. */
  withEnv<T>(name: string, env: string, use: (file: string) => Promise<T>): Promise<T>;
  planRefresh(name: string, source: string): Promise<RefreshPlan>;
  /** Runs `use` with a temporary directory that has the files of the app after a change. */
  preview<T>(name: string, change: FileChange, use: (directory: string) => Promise<T>): Promise<T>;
  refresh(name: string, change: FileChange): Promise<void>;
  /**
   * Writes the `.env` (mode 0600), and the previous one as `.env.bak`, in one atomic change; without a previous one that
   * file is empty. Returns false, and writes nothing, if it has these bytes already.
   */
  writeEnv(name: string, text: string): Promise<boolean>;
  /** Like `refresh`, but the journal, which may be there already, takes it back until `keep` is called. */
  exchange(name: string, change: FileChange): Promise<void>;
  /**
   * Turns the journal, so that the change is final, and closes it. If the files cannot be kept, they are put back. If only
   * the rest fails, the next change finishes the journal.
   */
  keep(name: string): Promise<void>;
  /** Exchanges or puts back the files that the journal names, if there is one. */
  finish(): Promise<void>;
  /** Removes the record of the app's last install. */
  forget(name: string): Promise<void>;
};

export type TrashEntry = { id: string; name: string; removedAt: Date };

/** Removed apps, kept for a while. */
export type Trash = {
  put(name: string): Promise<TrashEntry>;
  list(): TrashEntry[];
  restore(id: string): Promise<void>;
  /** Takes an app out of the list; it can no longer be restored. */
  condemn(id: string): Promise<void>;
  /** Erases condemned apps. This may take long and needs no turn among the changes. Returns whether there were any. */
  eraseCondemned(): Promise<boolean>;
  tidy(): void;
};
