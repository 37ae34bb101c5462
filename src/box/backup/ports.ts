import type { Repository } from '../../restic/ports.ts';
import type { FolderExchange, WaitingWork } from '../change/ports.ts';
import type { BackupPlace } from './rules/backup-place.ts';
import type { BackupRuns } from './rules/backup-runs.ts';
import type { Keep } from './rules/backups-to-keep.ts';
import type { FoundDisk } from './rules/found-disks.ts';

export type BackupPorts = {
  repository: Repository;
  place: BackupPlaces;
  placeTools: PlaceTools;
  files: BackupFiles;
  waiting: WaitingWork;
  runs: BackupRunsFile;
  rehearsal: Rehearsals;
  timer: BackupTimer;
  /** The time of day that the settings file has, as `03:30`; `null` without one. */
  fixedAt: string | null;
  /** Whether an update or a removal begins with a backup, if restic is there. */
  beforeUpdate: boolean;
  own: OwnPlaces;
};

/** Where backups go, and how many are kept. Read at each call, so that a change needs no restart. */
export type BackupPlaces = {
  /** The settings file names the place, so the page may not. */
  isFixed: boolean;
  /** The place that the page has set; `null` if none counts. */
  chosen(): BackupPlace | null;
  /** Throws StorageFailed. */
  choose(place: BackupPlace | null): Promise<void>;
  /** The repository at a place that is not chosen yet, with the key of this box. */
  at(place: BackupPlace): Repository;
  /** The folder of the backups; `null` if they are on another machine. */
  folder(): string | null;
  /** `isFixed`: the settings file has it. */
  keep(): { keep: Keep; isFixed: boolean };
  /** Throws StorageFailed. */
  setKeep(keep: Keep): Promise<void>;
};

export type PlaceTools = {
  /** The disks that backups may go to, without those that do not answer. */
  disks(): Promise<FoundDisk[]>;
  /** The IP addresses of a host; none if it is not known. */
  addresses(host: string): Promise<string[]>;
  /** The public half of this box's key for servers with SSH. Makes the key at its first use. Throws ResticFailed. */
  sshKey(): Promise<string>;
  /** Asks a server with SSH for its key. Throws ResticFailed. */
  hostKey(host: string, port: string): Promise<{ hostKey: string; fingerprint: string }>;
};

/** What the schedule of backups remembers. Every failure is a StorageFailed. */
export type BackupRunsFile = {
  /** The same object while nothing changed. */
  load(): BackupRuns;
  change(change: (runs: BackupRuns) => BackupRuns): Promise<void>;
};

/** The timer of the service manager that starts the backups of every night. Every failure is a StorageFailed. */
export type BackupTimer = {
  /** `at`: the time of day as `03:30`; without it the time stays. */
  enable(at: string | null): Promise<void>;
  disable(): Promise<void>;
  /** When it starts the next run; `null` if it does not say it. */
  nextAt(): Promise<Date | null>;
};

/** Rehearsals of backups. Every failure is a StorageFailed or a ContainersFailed. */
export type Rehearsals = {
  /** Runs work while no other process rehearses; `null` if one does. */
  alone<T>(work: () => Promise<T>): Promise<T | null>;
  /** Where the backup of this app is restored to prove it. */
  of(app: string): Rehearsal;
  /** Those that have begun and were not cleared. */
  left(): Rehearsal[];
};

/** Each app has its own, so that one which cannot be cleared does not keep the others from theirs. */
export type Rehearsal = {
  project: string;
  /** Where the app's directory is restored. */
  directory: string;
  begin(): Promise<void>;
  /** Writes its Compose file; returns the path. */
  write(model: object): Promise<string>;
  /** Removes the containers, networks and volumes of the project, and all files. Can be repeated. */
  clear(): Promise<void>;
};

/** Every failure is a StorageFailed. */
export type BackupFiles = FolderExchange & {
  /** Writes the facts of an app; returns the path. */
  writeFacts(app: string, text: string): Promise<string>;
  installRecord(app: string): string | null;
  writeInstallRecord(app: string, text: string): Promise<void>;
  /** Writes the `.env` of a restored app that is not in place yet. */
  writeEnv(directory: string, text: string): Promise<void>;
  /** Notes which app of the catalogue an app came from. */
  writeOrigin(directory: string, app: string): Promise<void>;
  /** Notes in an app's directory which volumes its next containers get; `null` removes the note. */
  writeKept(directory: string, text: string | null): Promise<void>;
  /** The note; `null` without one. */
  readKept(directory: string): Promise<string | null>;
  isThere(path: string): boolean;
  /**
   * The bytes of each file system that lack for another copy of these folders, with a path on it. Throws StorageFailed if
   * nothing can be written beside one of them.
   */
  lacking(paths: readonly string[]): Promise<{ path: string; bytes: number }[]>;
};

/** The box's own settings, and the owner's own apps that can be installed. */
export type OwnPlaces = {
  /** The folders of the owner's own apps. */
  catalogue: readonly string[];
  /** Files and folders that exist, settings first. */
  find(): string[];
  /** Whether a folder has no entry, or does not exist. */
  isEmpty(folder: string): boolean;
  /** Makes the folder in which this one is, on a machine that does not have it. Throws StorageFailed. */
  makeParent(folder: string): Promise<void>;
};
