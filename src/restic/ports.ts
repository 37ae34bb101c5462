/** Why a call of restic failed. `away`: the place of the repository does not answer. */
export type ResticFault =
  | 'no-restic'
  | 'no-repository'
  | 'no-key'
  | 'wrong-key'
  | 'locked'
  | 'no-room'
  | 'read-only'
  | 'away'
  | 'no-snapshot'
  | 'damaged'
  | 'failed';

/** A call of restic failed. The message is a sentence for the owner, without a secret. */
export class ResticFailed extends Error {
  override readonly name = 'ResticFailed';
  readonly fault: ResticFault;

  constructor(message: string, fault: ResticFault, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** Handles failures of these kinds. Throws every other error again. */
export function onFault<Result>(faults: readonly ResticFault[], handle: (error: ResticFailed) => Result) {
  return (error: unknown): Result => {
    if (error instanceof ResticFailed && faults.includes(error.fault)) return handle(error);
    throw error;
  };
}

export type Snapshot = {
  id: string;
  /** The beginning of the id, which people type. */
  shortId: string;
  time: Date;
  tags: string[];
  paths: string[];
  /** The id before its tags were changed; `null` if they never were. */
  original: string | null;
  host: string;
  /** False for a snapshot of another machine that works with the same repository. */
  isOwn: boolean;
};

/** What a new snapshot contains. Paths are absolute. */
export type SnapshotPlan = {
  paths: readonly string[];
  /** Patterns of restic for what a folder has and the snapshot does not need. */
  excludes: readonly { folder: string; pattern: string }[];
  tags: readonly string[];
  /** An app is stopped meanwhile, or changes wait, so a place that is away for about ten seconds is a failure. */
  isUrgent?: boolean;
};

export type MadeSnapshot = {
  id: string;
  /** Bytes of all files, and bytes that were new to the repository. */
  bytes: number;
  bytesAdded: number;
  /** Files that could not be read, so that the snapshot lacks them. */
  unread: string[];
};

export type SnapshotEntry = {
  name: string;
  kind: 'folder' | 'file' | 'link' | 'other';
  bytes: number;
  changedAt: Date;
};

export type RepositoryPlace = {
  /** Any address that restic takes. */
  address: string;
  /** Arguments of every call, without a secret. */
  options: readonly string[];
  /** Called before every call. Returns further variables for restic, such as credentials. Throws ResticFailed. */
  ready(): Promise<Readonly<Record<string, string | undefined>>>;
};

/** The repository of backups. Every failure is a ResticFailed. */
export type Repository = {
  /** The address without a password. */
  readonly shownAddress: string;
  isAvailable(): Promise<boolean>;
  /** The addresses of all repositories that this machine has used, without passwords. */
  known(): readonly string[];
  /** The key. Makes it if no repository was made with one yet. */
  key(): Promise<string>;
  /**
   * Makes the repository at its first use; true if it was made. A repository that was used before and is missing now,
   * such as one on a disk that is not mounted, is never made again, unless its owner has just chosen this place.
   */
  prepare(isChosen?: boolean): Promise<boolean>;
  backUp(plan: SnapshotPlan): Promise<MadeSnapshot>;
  /** The snapshots, or those that have a tag, the oldest first. */
  snapshots(tag?: string): Promise<Snapshot[]>;
  read(id: string, path: string): Promise<string>;
  /** What a path of a snapshot is; of a folder its first entries by name, and whether it has more. */
  look(id: string, path: string): Promise<{ kind: SnapshotEntry['kind']; entries: SnapshotEntry[]; isCut: boolean }>;
  /** The bytes of a file, or of a tar archive of a folder. An abort of `gone` ends it. */
  dump(id: string, path: string, gone: AbortSignal): AsyncIterable<Buffer>;
  /** Restores a path of a snapshot below `target`, under its whole path; without a path everything. */
  restore(id: string, target: string, path?: string): Promise<void>;
  /** Returns the new id of the snapshot. */
  addTags(id: string, tags: readonly string[]): Promise<string>;
  /** `prunes`: also removes the data that no snapshot needs any more. */
  forget(ids: readonly string[], prunes: boolean): Promise<void>;
  /** Removes the locks of programs that were killed. A call that they keep from its work does so by itself. */
  unlock(): Promise<void>;
  /**
   * Checks the structure of the repository, and the data of one part of it. `beside`: others may work on the repository
   * meanwhile, and may make the check fail.
   */
  check(part: { number: number; of: number }, how: 'alone' | 'beside'): Promise<void>;
  /**
   * Takes over a repository that another machine made, if its key is this one. Returns the machines whose snapshots it
   * has, each with the time of its latest one. `setsAside`: also if this box has backups with another key, which stay
   * where they are; their key stays in a file beside the new one.
   */
  adopt(key: string, setsAside: boolean): Promise<{ host: string; latest: Date }[]>;
};
