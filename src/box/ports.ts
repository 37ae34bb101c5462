/**
 * The ports of the box: the interfaces through which its use cases reach files, Docker and the clock. Each port
 * throws one class of error.
 */

import type { Journal } from '../lib/journal.ts';
import type { NotifyPorts } from '../notify/ports.ts';
import type { Notice } from '../notify/rules/notices.ts';
import type { UpdatePorts } from '../self-update/ports.ts';
import type { Addresses } from './addresses/ports.ts';
import type { BackupPorts } from './backup/ports.ts';
import type { Paths } from './backup/rules/places.ts';
import type { InstallFiles, Trash } from './change/ports.ts';
import type { Machine } from './doctor/ports.ts';
import type { AppRecord } from './engine/rules/app-record.ts';
import type { Container } from './engine/rules/container.ts';
import type { Disk, Disks } from './engine/rules/disk-problem.ts';
import type { HttpsPorts } from './https/ports.ts';
import type { AppOperation, AppStates, Catalogue, Place } from './known-apps.ts';
import type { RoomPorts } from './logs/ports.ts';
import type { ListeningSocket } from './rules/compose/listening-sockets.ts';
import type { ProjectModel } from './rules/compose/project-model.ts';
import type { ServicePowers } from './rules/compose/root-powers.ts';
import type { SpacePorts } from './space/ports.ts';
import type { VersionPorts } from './versions/ports.ts';

export type BoxPorts = {
  apps: Catalogue;
  /** The latest known state of each app; reading it never asks the engine. */
  states: AppStates;
  folders: AppFolders;
  installFiles: InstallFiles;
  trash: Trash;
  containers: Containers;
  observer: Observer;
  sockets: Sockets;
  disks: DiskMemory;
  /** Apps that the last reconcile did not start, because a disk is missing. */
  heldForDisk: Set<string>;
  records: ReconcileRecords;
  /** By app; kept in memory only, so that a restarted server tries every app again. */
  failedUps: Map<string, FailedUp>;
  space: SpacePorts;
  versions: VersionPorts;
  /** Whether all apps have been reconciled since the server started. */
  sinceStart: { isReconciled: boolean };
  /** Starts pulls that are due, without waiting for them. Only a server does. */
  retryImages(): void;
  changes: Changes;
  operations: Operations;
  /** The management page, made on first use. */
  page(): Page;
  addresses: Addresses;
  https: HttpsPorts;
  backup: BackupPorts;
  room: RoomPorts;
  selfUpdate: UpdatePorts & SelfUpdateJob;
  notifications: NotifyPorts;
  /**
   * Tells the owner if the state of the notice's topic has changed, here or in an earlier run. Waits for nothing and
   * never throws. Does nothing while notifications are off.
   */
  notify(notice: Notice): void;
  /** Sends what is due, also what other processes have left, unless it is too early for another try. Never throws. */
  deliver(): Promise<void>;
  machine: Machine;
  /** The host names under which the box is reached, beside its local ones. */
  names: readonly string[];
  /** The installed-apps directory, absolute. */
  installedApps: string;
  /** The state directory, absolute. */
  stateDirectory: string;
  keepRemovedDays: number;
  now(): Date;
  /** Waits; in a test it only moves the clock. */
  pause(ms: number): Promise<void>;
  /** Writes a warning of one line to the operator's log. */
  warn(text: string): void;
  /** Called at the end of each change that a request made. The box's own changes use `asChange`. */
  journal: Journal;
  /** Logs an unexpected fault with all details; returns its id in the log. */
  report(fault: unknown): string;
};

/** The command that a self-update runs as a job, and its environment. */
export type SelfUpdateJob = { command: readonly string[]; variables: Record<string, string> };

export type Page = { html: string; headers: Readonly<Record<string, string>> };

/**
 * The directories that contain the apps of each place, absolute. `bundled` are the catalogue directories and, last, the
 * directory of the apps that ship with the box. If two apps have one name, the first counts.
 */
export type AppRoots = { installed: string; bundled: readonly string[] };

/** Larger `.env` files are rejected. */
export const maxEnvBytes = 1024 * 1024;

/** `path` is absolute. */
export type FolderEntry = { name: string; link: boolean; path: string };

/** Changes whenever the file's bytes may have changed. The change time of the inode cannot be set back. */
export type Stamp = { ino: number; size: number; ctimeMs: number; isFile(): boolean };

/**
 * The app directories on disk. Names are names of directory entries that obey the rule for app names or come from
 * `list`. Reads are synchronous, because two `stat`s for each of a thousand apps are cheaper that way. A missing file
 * or directory is `null`; any other failure is a StorageFailed.
 */
export type AppFolders = {
  /**
   * The directories and links of a place, unsorted, without hidden ones; empty if the place does not exist. If several
   * have one name, only the first.
   * choice/box/300
   */
  list(place: Place): FolderEntry[];
  /** The entry that `list` has under this name. */
  find(place: Place, name: string): FolderEntry | null;
  /** The absolute path of an installed app's directory. */
  path(name: string): string;
  /** The stamp of a file in an app's directory; `directory` is a path. */
  stamp(directory: string, file: string): Stamp | null;
  /**
   * At most `limit` bytes of a regular file; `null` if it does not exist or is no regular file. Links are not followed.
   */
  read(directory: string, file: string, limit: number): Uint8Array | null;
  /**
   * The `.env` of an installed app as Compose reads it: a link is followed. `null` if it does not exist. Throws
   * BrokenEnv for a file that could not be written back unchanged. `.env.bak` is the previous `.env`.
   */
  readEnv(name: string, file?: '.env' | '.env.bak'): string | null;
  /** The readable part of the `.env`, for callers that write nothing; empty if it cannot be read. */
  viewEnv(name: string): string;
  /** The variables with which Compose runs in the directory of an installed app. They come before those of its `.env`. */
  environment(name: string): ReadonlyMap<string, string>;
  /**
   * False for a pipe, a device or a file of more than 64 MiB: Compose would wait for ever or fill the memory. `file` may
   * be relative to the directory.
   */
  canBeRead(directory: string, file: string): boolean;
  /** Like `read`, but links are followed, and `file` may be absolute. */
  readLinked(directory: string, file: string, limit: number): Uint8Array | null;
  /** The absolute path of a file or directory that may be relative to this directory. */
  resolve(directory: string, path: string): string;
  /**
   * Makes a function that finds the first of these files that is at a place or below it, also through links. All paths
   * may be relative to the directory.
   */
  finderOf(directory: string, files: readonly string[]): (place: string) => string | undefined;
  /** Digest of files, relative to a directory or absolute, and of a text; absent files count as absent. */
  digest(directory: string, files: readonly string[], text?: string | null): string;
  /** Whether a directory exists at this absolute path. */
  isDirectory(path: string): boolean;
  /** The path that `path` returns for this directory if it is an installed app's under another name, else `path`. */
  knownPath(path: string): string;
};

/** The files of one app's Compose project. */
export type ComposeFiles = { directory: string; files: string[]; envFile: string | null };

/** The Compose project of one app, as passed to Compose. */
export type ComposeProject = ComposeFiles & { project: string };

/** Compose's answer about a project. `digest` is that of the whole answer. */
export type ComposeAnswer = { model: ProjectModel; digest: string; unset: string[]; powers: ServicePowers[] };

export type Sockets = {
  /** Empty if the kernel does not list them. */
  listening(): (ListeningSocket & { isThisBox: boolean })[];
};

/** The containers at one moment. */
export type Picture = {
  containers: Container[];
  /** Why the containers are unknown and the list is empty; `null` if they are known. */
  failure: ContainersFailed | null;
};

/** Every look at the containers also updates the states of apps. */
export type Observer = {
  look(): Promise<Picture>;
  /** Number of looks that have begun. */
  looks(): number;
  /** Calls back with each picture. */
  onPicture(listener: (picture: Picture) => void): void;
};

export type EngineEvents = {
  /**
   * Calls `onChange` after each change of a Compose project's container, also for changes of the last moment, and
   * `onStop` with the directory of the project if a container stops or gets a signal.
   */
  follow(onChange: () => void, onStop: (directory: string) => void): EventStream;
};

export type EventStream = {
  /** Settles when no further event can come. */
  ended: Promise<void>;
  stop(): void;
};

/** With `recreate` containers are recreated even if Compose sees no change; without `start` none is started. */
export type UpOptions = { recreate?: boolean; start?: boolean; onProgress?: OnProgress | undefined };

/** The engine's containers and Compose. Every failure is a ContainersFailed. */
export type Containers = {
  /**
   * Every container of every Compose project. A failure is `unreachable` unless the tool cannot list containers.
   */
  observe(): Promise<Container[]>;
  /** The project as Compose resolves it; with `name`, as the project of that name. */
  config(files: ComposeFiles, name: string | null): Promise<ComposeAnswer>;
  /**
   * Creates, starts and recreates containers as needed. With `services` only those, and none of their dependencies.
   */
  up(project: ComposeProject, services?: readonly string[], options?: UpOptions): Promise<void>;
  /** Stops and removes the containers of services, also of those that no active profile has. */
  removeServices(project: ComposeProject, services: readonly string[], stopMs: number): Promise<void>;
  /**
   * `stopMs`: how long the containers may take to stop. Returns the networks that are left, because containers of others
   * use them.
   */
  down(project: ComposeProject, stopMs: number): Promise<string[]>;
  /** Stops containers, all at the same time, and keeps them. */
  stop(ids: readonly string[], stopMs: number): Promise<void>;
  /** Starts containers, one after the other. If one fails, the others are started all the same. */
  start(ids: readonly string[]): Promise<void>;
  /** Lets paused containers go on. */
  unpause(ids: readonly string[]): Promise<void>;
  /** Takes down a project whose folder is gone, by the labels of its containers. */
  downByName(project: string, stopMs: number): Promise<void>;
  /** `hasBuilt`: some images are built on this machine, so no registry has them. */
  pull(project: ComposeProject, hasBuilt: boolean, onProgress?: OnProgress): Promise<void>;
  /** Builds the images that are built on this machine; with `services` only theirs. */
  build(project: ComposeProject, services?: readonly string[], onProgress?: OnProgress): Promise<void>;
  /** Pulls for some services, outside of a change: takes no lock, and ends at the signal. */
  pullServices(project: ComposeProject, services: readonly string[], signal: AbortSignal): Promise<void>;
  /** The last complete lines of a container's log. */
  logs(container: string): Promise<string>;
  /** Local image ids by reference; references without a local image are left out. */
  imageIds(tags: readonly string[]): Promise<Map<string, string>>;
  tag(imageId: string, tag: string): Promise<void>;
  /** What volumes were made with, as a model has it, and whether their data lies elsewhere. Those that are missing are left out. */
  volumes(names: readonly string[]): Promise<Map<string, { made: string; isElsewhere: boolean }>>;
  /** The ids of all containers that have a volume. */
  usersOf(volume: string): Promise<string[]>;
  removeVolume(name: string): Promise<void>;
  removeContainers(ids: readonly string[]): Promise<void>;
};

/** An `up` that failed. Other apps' changes do not repeat it while the app has this digest. */
export type FailedUp = { why: 'down'; digest: string } | MissingImages;

/** Services whose images are missing, and when to pull them; `tries` counts the retries. */
export type MissingImages = {
  why: 'images';
  digest: string;
  /** Why the images could not be pulled; `null` before the first try. */
  error: string | null;
  services: string[];
  tries: number;
  dueMs: number;
};

/** The disks of the folders that apps mount, at their last start. Every failure is a StorageFailed. */
export type DiskMemory = {
  of(app: string): Disks;
  /** Keeps those of other apps. An app without disks is forgotten. */
  remember(disks: ReadonlyMap<string, Disks>): Promise<void>;
  /** Reads what is mounted now. */
  look(): Paths & {
    of(folder: string): Disk;
    /** The places below a folder at which a disk or a folder of another machine is mounted. */
    below(folder: string): string[];
    isMountPoint(path: string): boolean;
  };
};

export type ReconcileRecords = {
  load(): Map<string, AppRecord>;
  /** Writes the records if they differ from those on disk. */
  save(records: ReadonlyMap<string, AppRecord>): Promise<void>;
};

/** The step of a change, and how much of a pull is done. */
export type Progress = Omit<AppOperation, 'kind' | 'since'>;
export type OnProgress = (progress: Progress) => void;

/** The app that a change is for, and what is asked for. */
export type AppChange = Pick<AppOperation, 'kind'> & { app: string };

/** What the change that has its turn does, told from process to process. */
export type ToldOperation = {
  /** Does nothing unless a change of this process has its turn; `null` at its end. Never throws. */
  tell(operation: (AppOperation & { app: string }) | null): void;
  /** By app: what another process does now. The same map as before while nothing changed. Never throws. */
  others(): ReadonlyMap<string, AppOperation>;
};

/** The changes of apps that wait in this process, or are carried out in any. */
export type Operations = {
  /** By app. The same map as before while nothing changed. */
  all(): ReadonlyMap<string, AppOperation>;
  /** Notes what the change that has its turn does now. Does nothing if no app has asked for that change. */
  report: OnProgress;
};

/**
 * Runs one change at a time: first come first served within this process, one at a time across processes. `of` makes
 * `Operations` show the change. Throws TooManyChanges.
 */
export type Changes = {
  run<T>(change: () => Promise<T>, of?: AppChange): Promise<T>;
  /** Number of changes of this process that wait or run. */
  waiting(): number;
};

/** The container tool is missing, stopped, hanging, or failed. The message is a sentence for the owner. */
export class ContainersFailed extends Error {
  override readonly name = 'ContainersFailed';
  /** True if the tool or the engine does not answer at all, so another call would fail too. */
  readonly unreachable: boolean;

  constructor(message: string, unreachable: boolean, cause?: unknown) {
    super(message, { cause });
    this.unreachable = unreachable;
  }
}

/** An app's `.env` is not UTF-8, not a regular file, or too large. The message is a sentence for the owner. */
export class BrokenEnv extends Error {
  override readonly name = 'BrokenEnv';
}

export { StorageFailed } from '../lib/files/storage.ts';
export type { Notice } from '../notify/rules/notices.ts';
export type { AppRecord } from './engine/rules/app-record.ts';

/** The queue of changes is full. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
}
