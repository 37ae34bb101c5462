import type { Lock } from '../lib/process/lock.ts';
import type { Archives, UpdatePorts } from './ports.ts';
import type { Product } from './product.ts';
import type { Answer } from './rules/health.ts';

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
