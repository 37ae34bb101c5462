import type { Lock } from '../lib/process/lock.ts';
import type { Product } from './product.ts';
import type { Answer } from './rules/health.ts';
import type { UpdateState } from './rules/update-state.ts';

export type ReleaseFeed = {
  /** The current announcement, and its address after redirections. Throws UpdateFailed. */
  read(): Promise<{ text: string; address: string }>;
};

/** The keys that sign releases, as PEM. */
export type Keys = {
  /** The key that is trusted here. Throws UpdateFailed. */
  trusted(): Promise<string>;
  /** False also for a malformed key or signature. */
  isSigned(key: string, text: string, signature: string): boolean;
};

/** Archives of releases, on their way into a folder. Sizes are bytes. */
export type Archives = {
  /** Writes exactly `size` bytes into a new file, synced. If it throws UpdateFailed, the file may remain. */
  download(url: string, target: Target): Promise<void>;
  /** SHA-256 of a file, in lower-case hexadecimal. */
  digest(file: string): Promise<string>;
  /**
   * Unpacks files and folders, without the archive's top folder, into a new folder, and syncs everything. If it
   * throws UpdateFailed, the folder may remain.
   */
  unpack(file: string, folder: string, maxBytes: number): Promise<void>;
};

/** `file` must not exist. `onBytes` is called with the total so far and awaited. */
export type Target = { file: string; size: number; onBytes(bytes: number): Promise<void> };

export type ServiceManager = {
  /**
   * Starts a command as a detached job that outlives this process. Only one job can have the name.
   * Throws JobFailed when the service manager does not take it.
   */
  start(unit: string, command: readonly string[], variables: Record<string, string>): Promise<JobStart>;
  status(unit: string): Promise<UnitStatus>;
  /** Fulfilled when the new process runs. A failed service is started as well. Throws UpdateFailed. */
  restart(unit: string): Promise<void>;
};

type UnitStatus = {
  /** As systemd has it: `active`, `activating`, `deactivating`, `inactive`, `failed`; `unknown` without an answer. */
  state: string;
  /** Its main process; 0 without one. */
  pid: number;
  /** Number of automatic restarts by the service manager since the last command. */
  restarts: number;
  /** The command that it runs, as the service manager shows it. */
  command: string;
};

export type JobStart = 'started' | 'already running';

export class JobFailed extends Error {
  override name = 'JobFailed';
}

export type UpdateFiles = {
  /** The state of the latest update; `{}` before the first one. Never throws: a damaged file is a final state. */
  readState(): Promise<UpdateState>;
  writeState(state: UpdateState): Promise<void>;
  /** The update lock, or null while an update runs. */
  tryLock(): Promise<Lock | null>;
  /** Takes the update lock for an update. Waits if another process is only testing the lock. */
  lock(): Promise<Lock | null>;
  /** Records the running server, which an update restarts and checks. */
  writeRunning(running: RunningServer): Promise<void>;
  /** The server that began to listen last; `null` if no server did, or if the file is damaged. Never throws. */
  readRunning(): Promise<RunningServer | null>;
};

export type RunningServer = {
  /** `http://HOST:PORT` */
  address: string;
  version: string;
  /** The server's unit in the service manager; `null` if the server runs without a unit. */
  unit: string | null;
  pid: number;
};

export type UpdatePorts = {
  releaseFeed: ReleaseFeed;
  keys: Keys;
  /** The platform whose archives are installed, such as `linux-x64`. */
  platform: string;
  manager: ServiceManager;
  updateFiles: UpdateFiles;
  version: string;
  now(): Date;
};

/**
 * The software folder: one directory for each version, and the link `current` to the version that the service starts.
 * Every change is durable when its promise is fulfilled, and atomic. All but `staged` throw StorageFailed.
 */
export type SoftwareFolder = {
  path: string;
  download: string;
  staging: string;
  /** The version that `current` names; `null` if it is not a link to a directory beside it. */
  current(): Promise<string | null>;
  /** The version before a switch that is not committed; `null` if there is no such switch. */
  previous(): Promise<string | null>;
  freeBytes(): Promise<number>;
  /** Throws UpdateFailed unless the staged files are this version and its `command` shows its help on this machine. */
  checkStaged(version: string, command: readonly string[]): Promise<void>;
  /** Puts the staged files among the versions, in place of files of the same version. */
  place(version: string): Promise<void>;
  /** Makes a version the current one and keeps a link to the one before until `commit` or `rollBack`. */
  switchTo(version: string): Promise<void>;
  rollBack(): Promise<void>;
  commit(): Promise<void>;
  /** Removes what an update leaves in the folder if it is interrupted. */
  clear(): Promise<void>;
  /** Removes a version that was placed, was not committed and is not current. */
  discard(): Promise<void>;
  /** Removes all versions but these. */
  prune(kept: readonly string[]): Promise<void>;
};

/** The unit files that install.sh has installed. */
export type UnitFiles = {
  /**
   * Replaces unedited unit files by those of a version. A file is unedited if it equals that of another version in
   * the folder. Throws StorageFailed or UpdateFailed.
   */
  bringUpTo(version: string): Promise<void>;
};

/** Milliseconds of a monotonic clock: `now` of the other ports may jump during an update. */
export type Stopwatch = { elapsed(): number; pause(ms: number): Promise<void> };

export type UpdaterPorts = UpdatePorts & {
  product: Product;
  /** The unit to restart; `null` means the unit in `running.json`, which the running server has written. */
  unit: string | null;
  /** How long a restarted server may take to answer. */
  waitSeconds: number;
  archives: Archives;
  software: SoftwareFolder;
  unitFiles: UnitFiles;
  /** Asks a running server for its version. Never throws. */
  ask(address: string): Promise<Answer>;
  /** Waits until no change of an app is in progress; resolves to `null` if one takes longer than `seconds`. */
  lockChanges(seconds: number): Promise<Lock | null>;
  stopwatch: Stopwatch;
  /** Aborted with an UpdateFailed when the updater has to stop: it then rolls back and ends. */
  stopSignal: AbortSignal;
};
