/** The core of the box, which every subject may use. Each port throws one class of error. */

import { StorageFailed } from '../lib/files/storage-failed.ts';
import type { ChangeEntry } from '../lib/journal.ts';
import type { Notice } from '../notify/rules/notices.ts';
import type { PageNote } from './api/rules/page-note.ts';
import type { Volume } from './backup/rules/places.ts';
import type { AppRecord } from './engine/rules/app-record.ts';
import type { Container } from './engine/rules/container.ts';
import type { AppOperation, Catalogue, Place } from './known-apps.ts';
import type { Room } from './report.ts';
import type { ImageChange } from './rules/compose/image-changes.ts';
import type { ProjectModel } from './rules/compose/project-model.ts';
import type { ServicePowers } from './rules/compose/root-powers.ts';
import type { Finding } from './rules/findings/finding.ts';

export type Core = {
  apps: Catalogue;
  folders: AppFolders;
  containers: Containers;
  observer: Observer;
  records: ReconcileRecords;
  changes: Changes;
  subjects: Subject[];
  now(): Date;
  /** Writes a warning of one line to the operator's log. */
  warn(text: string): void;
  /** Logs an unexpected fault with all details; returns its id in the log. */
  report(fault: unknown): string;
};

/** What a subject adds to parts of the box that know no subject by name. */
export type Subject = {
  /** Its rooms of the console, in the order of the navigation. `of`: what is known otherwise there, such as states. */
  rooms?(of: Core): Promise<readonly Room[]>;
  examine?(): Promise<Finding[]>;
  /** What the owner reads in a message once it changes; asked for once a minute while notifications are on. */
  notices?(): Notice[];
  /** Begins what it does by itself while the server runs. */
  keepHouse?(): void;
  /** A warning at the top of the page; `null` for none. */
  pageNote?(): PageNote | null;
  /** An update has replaced the images that ran. A failure is only logged. */
  replaced?(
    app: string,
    running: readonly { imageId: string; image: string }[],
    changes: readonly ImageChange[],
  ): Promise<void>;
  /** An update of an app was rolled back. A failure is only logged. */
  rolledBack?(app: string, cause: unknown): Promise<void>;
  changed?(entry: ChangeEntry): void;
  /** The box is about to look for newer versions of apps. Returns what cannot be looked up, and why. */
  beforeLook?(): Promise<{ what: string; reason: string }[]>;
  /** A command that changed apps by itself is about to end. */
  beforeExit?(): Promise<void>;
};

/**
 * The directories that contain the apps of each place, absolute. `bundled` are the owner's directories, those of the
 * stores as they are now and, last, that of the apps that ship with the box. If two apps have one name, the first counts.
 */
export type AppRoots = { installed: string; bundled(): readonly string[] };

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
  /** The directories and links of a place, without hidden ones. If several have one name, the first counts. choice/box/300 */
  list(place: Place): FolderEntry[];
  find(place: Place, name: string): FolderEntry | null;
  findAll(place: Place, name: string): FolderEntry[];
  /** The directory of an installed app. */
  path(name: string): string;
  stamp(directory: string, file: string): Stamp | null;
  /** At most `limit` bytes; `null` also for a file that is no regular one. Links are not followed. */
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
  resolve(directory: string, path: string): string;
  /**
   * Makes a function that finds the first of these files that is at a place or below it, also through links. All paths
   * may be relative to the directory.
   */
  finderOf(directory: string, files: readonly string[]): (place: string) => string | undefined;
  /** Digest of files, relative to a directory or absolute, and of a text; absent files count as absent. */
  digest(directory: string, files: readonly string[], text?: string | null): string;
  isDirectory(path: string): boolean;
  /** The path that `path` returns for this directory if it is an installed app's under another name, else `path`. */
  knownPath(path: string): string;
};

/** The files of one app's Compose project. */
export type ComposeFiles = { directory: string; files: string[]; envFile: string | null };

export type ComposeProject = ComposeFiles & { project: string };

/** Compose's answer about a project. `config` is the whole answer, and `digest` that of its text. */
export type ComposeAnswer = {
  config: unknown;
  model: ProjectModel;
  digest: string;
  unset: string[];
  powers: ServicePowers[];
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
  onPicture(listener: (picture: Picture) => void): void;
};

/** With `recreate` containers are recreated even if Compose sees no change; without `start` none is started. */
export type UpOptions = { recreate?: boolean; start?: boolean; onProgress?: OnProgress | undefined };

/** `made`: what it was made with, as a model has it. */
export type MadeVolume = Volume & { made: string; isElsewhere: boolean };

/** The engine's containers and Compose. Every failure is a ContainersFailed. */
export type Containers = {
  /** Every container of every Compose project. A failure is `unreachable` unless the tool cannot list containers. */
  observe(): Promise<Container[]>;
  /** The project as Compose resolves it; with `name`, as the project of that name. */
  config(files: ComposeFiles, name: string | null): Promise<ComposeAnswer>;
  /** Creates, starts and recreates containers as needed. With `services` only those, and none of their dependencies. */
  up(project: ComposeProject, services?: readonly string[], options?: UpOptions): Promise<void>;
  /** Returns the networks that are left, because containers of others use them. `stopMs`: how long a stop may take. */
  down(project: ComposeProject, stopMs: number): Promise<string[]>;
  /** Stops containers, all at the same time, and keeps them. */
  stop(ids: readonly string[], stopMs: number): Promise<void>;
  /** Starts containers, one after the other. If one fails, the others are started all the same. */
  start(ids: readonly string[]): Promise<void>;
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
  /** By image id, the digests under which registries have it. */
  imageDigests(ids: readonly string[]): Promise<Map<string, string[]>>;
  pullImage(reference: string): Promise<void>;
  /** The volumes that Compose made for a project, `null` for none, and those of these names that exist. */
  volumes(project: string | null, names?: readonly string[]): Promise<MadeVolume[]>;
  /** Makes the volume if it does not exist; returns the folder of its data. Refuses one of another project. */
  makeVolume(name: string, labels: Readonly<Record<string, string>>, project: string): Promise<string>;
  /** The ids of all its containers. */
  usersOf(volume: string): Promise<string[]>;
  removeVolume(name: string): Promise<void>;
  removeContainers(ids: readonly string[]): Promise<void>;
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

/**
 * Runs one change at a time: first come first served within this process, one at a time across processes. `of` makes
 * `Operations` show the change. Throws TooManyChanges.
 */
export type Changes = {
  run<T>(change: () => Promise<T>, of?: AppChange): Promise<T>;
  /** Number of changes of this process, with the one that runs. */
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

export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
}

/**
 * The owner's text for a fault that one app caused, while the other apps go on. Faults of the disk and of the container
 * tool have their own sentence. Any other fault is logged, and the text names its id in the log.
 */
export function faultText(box: Pick<Core, 'report'>, error: unknown): string {
  if (error instanceof StorageFailed || error instanceof ContainersFailed) return error.message;
  return `internal error (${box.report(error)}); the log of the box has the details`;
}

export type { AppRecord, Notice };
export { StorageFailed };
