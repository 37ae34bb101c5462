/** What the box needs of the world. Each port is as small as its callers need and has one kind of failure. */

import type { Journal } from '../lib/journal.ts';
import type { UpdatePorts } from '../self-update/ports.ts';
import type { Catalogue } from './apps/catalogue.ts';
import type { AppStates } from './reconcile/app-states.ts';
import type { ComposeFacts } from './rules/compose/compose-file.ts';
import type { ListeningSocket } from './rules/compose/listening-sockets.ts';
import type { PortBinding } from './rules/compose/port-bindings.ts';
import type { PublishedPort } from './rules/compose/published-ports.ts';
import type { AppContainer } from './rules/reconcile/app-state.ts';
import type { RefreshPlan } from './rules/reconcile/refresh-plan.ts';

/** Everything that the use cases are given. */
export type BoxPorts = {
  apps: Catalogue;
  /** The latest known state of each app; reading it never asks the engine. */
  states: AppStates;
  folders: AppFolders;
  installFiles: InstallFiles;
  trash: Trash;
  containers: Containers;
  sockets: Sockets;
  records: ReconcileRecords;
  /** By app; in memory only, so that a restart of the server tries everything again. */
  failedUps: Map<string, FailedUp>;
  /** Whether all apps have been brought in line since the server started. */
  sinceStart: { isReconciled: boolean };
  /** Begins to pull what is due of them, without waiting for it. Only a server does. */
  retryImages(): void;
  changes: Changes;
  /** The management page, made when it is first asked for. */
  page(): Page;
  publicRoutes: PublicRoutes;
  selfUpdate: UpdatePorts & SelfUpdateJob;
  /** The installed-apps directory, absolute. */
  installedApps: string;
  keepRemovedDays: number;
  now(): Date;
  /** Waits; a test's does not. */
  pause(ms: number): Promise<void>;
  /** One line for the operator. */
  warn(text: string): void;
  /** Gets each change that has ended; one line of the log. Changes that the box begins itself: `asChange`. */
  journal: Journal;
  /** Writes an unexpected fault whole to the log; returns its id there. */
  report(fault: unknown): string;
};

/** The command that a self-update runs as a job, and the variables that it gets. */
export type SelfUpdateJob = { command: readonly string[]; variables: Record<string, string> };

/** The routes through which apps are reachable from outside. Only the tunnel commands know them. */
export type PublicRoutes = {
  /**
   * Withdraws the routes of apps whose directory is gone. Never fails, and ends within seconds.
   * @returns lines for the operator: what was withdrawn, and why something was not
   */
  withdrawRemoved(): Promise<string[]>;
};

export type Page = { html: string; headers: Readonly<Record<string, string>> };

/** Where an app's directory lies: among the installed apps, or among those that can be installed. */
export type Place = 'installed' | 'bundled';

/**
 * The directories that the apps of each place lie in, absolute. `bundled` are the catalogue directories and, last,
 * that of the apps that ship with the box: of two apps of one name the first counts.
 */
export type AppRoots = { installed: string; bundled: readonly string[] };

/** A `.env` of more is nobody's. */
export const maxEnvBytes = 1024 * 1024;

/** `path` is absolute. */
export type FolderEntry = { name: string; link: boolean; path: string };

/** Changes whenever the file's bytes may have changed; times are of the inode, so that no edit can set them back. */
export type Stamp = { ino: number; size: number; ctimeMs: number; isFile(): boolean };

/**
 * The app directories as they lie on disk. Names are those of directory entries; a caller asks with a name that
 * obeys the rule for app names or that it got from `list`. Reads are synchronous: a list of a thousand apps is a
 * thousand times two `stat`s, which are cheaper done than waited for. What is not there is null; any other fault
 * is a StorageFailed.
 */
export type AppFolders = {
  /**
   * The directories and links of a place, unsorted, without hidden ones; empty if the place does not exist. If several
   * have one name, the first one: choice/box/300
   */
  list(place: Place): FolderEntry[];
  /** The one that `list` would have under this name. */
  find(place: Place, name: string): FolderEntry | null;
  /** The absolute path of an installed app's directory. */
  path(name: string): string;
  /** The stamp of a file in an app's directory; `directory` is a path. */
  stamp(directory: string, file: string): Stamp | null;
  /** A regular file's bytes; null when there is none of that name (a link is none), at most `limit` of them. */
  read(directory: string, file: string, limit: number): Uint8Array | null;
  /**
   * The `.env` of an installed app as Compose would read it: a link is followed. Null when there is none; what could
   * not be written back as it was is a BrokenEnv. `.env.bak` is the one before it.
   */
  readEnv(name: string, file?: '.env' | '.env.bak'): string | null;
  /** As much of it as can be read, for callers that write nothing; empty if the box cannot read it. */
  viewEnv(name: string): string;
  /** False for a pipe, a device or a file of more than 64 MiB: Compose would never end reading it, or fill the memory. */
  canBeRead(name: string, file: string): boolean;
  /** Digest over the named files of an installed app; absent ones count as such. */
  digest(name: string, files: readonly string[]): string;
  /** Writes the `.env` (0600) and keeps the one before it as `.env.bak`; false when it holds these bytes already. */
  writeEnv(name: string, text: string): Promise<boolean>;
  /** Whether a directory of this absolute path is there. */
  isDirectory(path: string): boolean;
};

/**
 * Puts a bundled app in place; `source` is its directory. Whatever happens in between, an app's directory is whole or
 * as it was.
 */
export type InstallFiles = {
  /** Copies a bundled app that is not installed yet; `env` becomes its `.env`. Answers what was left out. */
  place(name: string, source: string, env: string | null): Promise<{ leftOut: string[] }>;
  /** What putting the bundled files over the installed ones would do. */
  planRefresh(name: string, source: string): Promise<RefreshPlan>;
  /** Does it, and writes the `.env` in the same stroke. */
  refresh(name: string, source: string, plan: RefreshPlan, env: string | null): Promise<void>;
  /** Does it too, but from then on `finish` undoes it, until `keep`. */
  exchange(name: string, source: string, plan: RefreshPlan, env: string | null): Promise<void>;
  /** Writes the `.env`, and in the same stroke the one before it as `.env.bak`. */
  swapEnv(name: string, env: string): Promise<void>;
  /** Makes an exchange final. If it fails, the exchange is undone. */
  keep(name: string): Promise<void>;
  /** Shows a directory with the files that the app would have after a refresh, for as long as `use` takes. */
  preview<T>(
    name: string,
    source: string,
    plan: RefreshPlan,
    env: string | null,
    use: (directory: string) => Promise<T>,
  ): Promise<T>;
  /** Finishes or undoes an install of the app that was cut short, where that is still to be done. */
  finish(name: string): Promise<void>;
  /** Forgets what the last install of the app put there, and one that is still to be finished. */
  forget(name: string): Promise<void>;
};

export type TrashEntry = { id: string; name: string; removedAt: Date };

/** Removed apps, kept for a while. */
export type Trash = {
  put(name: string): Promise<TrashEntry>;
  list(): TrashEntry[];
  restore(id: string): Promise<void>;
  /** Takes an app out of the list at once; it cannot be restored any more. */
  condemn(id: string): Promise<void>;
  /** Erases what is condemned; it may take long and needs no turn among the changes. False: there was nothing. */
  eraseCondemned(): Promise<boolean>;
  /** Leaves no empty folder beside the installed apps. */
  tidy(): void;
};

/** The container project of one app, as Compose is told it. */
export type ComposeProject = {
  project: string;
  directory: string;
  files: string[];
  envFile: string | null;
};

/** The sockets of this machine on which programs wait for others. */
export type Sockets = {
  /** None where the kernel does not tell. */
  listening(): ListeningSocket[];
  /** A program that has the socket of this inode open; null if the box may look at no such program. */
  program(inode: string): Program | null;
};

export type Program = { name: string; pid: number; isThisBox: boolean };

export type ContainerState = {
  id: string;
  name: string;
  project: string;
  service: string;
  workingDirectory: string;
  /** As the engine says it: created, running, paused, restarting, exited, dead, removing. */
  state: string;
  exitCode: number | null;
  health: 'starting' | 'healthy' | 'unhealthy' | null;
  oneOff: boolean;
  /** The host ports that it publishes now; none while it does not run. */
  published: PortBinding[];
};

export type ContainerImage = {
  id: string;
  project: string;
  service: string;
  workingDirectory: string;
  /** The id of the image that the container was made from. */
  imageId: string;
  /** The reference that it was made from. */
  tag: string;
  state: string;
  restarts: number;
};

/** A container with all that its app's state is made of. */
export type EngineContainer = AppContainer & {
  name: string;
  project: string;
  workingDirectory: string;
  oneOff: boolean;
  /** The ports of this machine that lead to it now. */
  published: PublishedPort[];
  isOnHostNetwork: boolean;
};

/** Tells when containers change, and nothing else. */
export type EngineEvents = {
  /** Calls `onEvent` after each change of a Compose project's container. Tells changes of the last moment too. */
  follow(onEvent: () => void): EventStream;
};

export type EventStream = {
  /** Settles when no further event can come. */
  ended: Promise<void>;
  stop(): void;
};

/** The engine's containers and Compose. Every failure is a ContainersFailed. */
export type Containers = {
  /** Every container of every Compose project, in one call. */
  list(): Promise<ContainerState[]>;
  /** The same with all that their states are made of: one listing of ids and one inspection. */
  inspectAll(): Promise<EngineContainer[]>;
  /** The project as Compose resolves it, a document in the form of a Compose file. It holds secrets: never log it. */
  config(project: ComposeProject): Promise<unknown>;
  /**
   * Creates, starts and recreates what the project lacks; answers Compose's own progress text. With `services` only
   * those, and nothing that they depend on.
   */
  up(project: ComposeProject, services?: readonly string[]): Promise<string>;
  down(project: ComposeProject): Promise<void>;
  /** Takes down a project whose folder is gone, by the labels of its containers. */
  downByName(project: string): Promise<void>;
  /** `hasBuilt`: some of its images are built here, which no registry knows. */
  pull(project: ComposeProject, hasBuilt: boolean): Promise<void>;
  /** The same for some services, outside of a change: it takes no lock, and ends when the signal comes. */
  pullServices(project: ComposeProject, services: readonly string[], signal: AbortSignal): Promise<void>;
  /** The last lines that a container wrote, whole ones only. */
  logs(container: string): Promise<string>;
  /** The ids of a service's containers as Compose knows them. */
  serviceContainers(project: ComposeProject, service: string): Promise<string[]>;
  /** By id or name; one that is not there fails the whole question. */
  inspect(containers: readonly string[]): Promise<ContainerImage[]>;
  /** Local image ids by reference; references without a local image are left out. */
  imageIds(tags: readonly string[]): Promise<Map<string, string>>;
  tag(imageId: string, tag: string): Promise<void>;
  removeContainers(ids: readonly string[]): Promise<void>;
};

/** What a reconcile remembers of an app's last success, and what it read out of its Compose files. */
export type AppRecord = {
  facts: ComposeFacts;
  factsDigest: string;
  /** Digest of all that the project is made of, at the last success; null when there was none. */
  succeeded: string | null;
  /** Names of the containers that the project had then. */
  containers: string[];
};

/** An `up` that other apps' changes do not repeat while the app is what it was (`digest`). */
export type FailedUp = { why: 'down'; digest: string } | MissingImages;

/** Services whose images are missing, and when to pull them; `tries` counts the retries. */
export type MissingImages = {
  why: 'images';
  digest: string;
  /** Why they could not be pulled; null if nobody has tried yet. */
  error: string | null;
  services: string[];
  tries: number;
  dueMs: number;
};

export type ReconcileRecords = {
  load(): Map<string, AppRecord>;
  /** Writes them when they differ from what is there. */
  save(records: ReadonlyMap<string, AppRecord>): Promise<void>;
};

/**
 * Runs one change at a time, first come first served here, one at a time across processes. Throws TooManyChanges.
 */
export type Changes = {
  run<T>(change: () => Promise<T>): Promise<T>;
  /**
   * The same for a change that looks something up of the containers first: that is begun before the change's turn has
   * come wherever nobody can have changed a container since, else in its turn.
   */
  runPrepared<P, T>(prepare: () => Promise<P>, change: (prepared: Promise<P>) => Promise<T>): Promise<T>;
  /** Number of changes of this process that wait or are under way. */
  waiting(): number;
};

/** The container tool is missing, stopped, hanging or refuses; the message is a sentence for the owner. */
export class ContainersFailed extends Error {
  override readonly name = 'ContainersFailed';
  /** True when the tool or the engine does not answer at all, so that asking again is in vain. */
  readonly unreachable: boolean;

  constructor(message: string, unreachable: boolean, cause?: unknown) {
    super(message, { cause });
    this.unreachable = unreachable;
  }
}

/** An app's `.env` that is no text, no file or too large; the message is a sentence for the owner. */
export class BrokenEnv extends Error {
  override readonly name = 'BrokenEnv';
}

export { StorageFailed } from '../lib/files/storage.ts';

/** So many changes wait already that one more is not taken. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
}
