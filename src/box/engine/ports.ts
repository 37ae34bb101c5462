import type { Journal } from '../../lib/journal.ts';
import type { Addresses } from '../addresses/ports.ts';
import type { BackupPorts } from '../backup/ports.ts';
import type { Paths } from '../backup/rules/places.ts';
import type { Core, OnProgress } from '../core.ts';
import type { HttpsPorts } from '../https/ports.ts';
import type { AppOperation, AppStates } from '../known-apps.ts';
import type { ListeningSocket } from '../rules/compose/listening-sockets.ts';
import type { Disk, Disks } from './rules/mounts.ts';

/** What the engine keeps, beside the core. */
export type EngineParts = {
  states: AppStates;
  operations: Operations;
  sockets: Sockets;
  disks: DiskMemory;
  stopped: StoppedApps;
  /** Apps that the last reconcile did not start, because a disk is missing. */
  heldForDisk: Set<string>;
  /** By app; kept in memory only, so that a restarted server tries every app again. */
  failedUps: Map<string, FailedUp>;
  /** Whether all apps have been reconciled since the server started. */
  sinceStart: { isReconciled: boolean };
  /** Starts pulls that are due, without waiting for them. Only a server does. */
  retryImages(): void;
  installedApps: string;
  stateDirectory: string;
  /** Waits; in a test it only moves the clock. */
  pause(ms: number): Promise<void>;
  /** Called at the end of each change that a request made. The box's own changes use `asChange`. */
  journal: Journal;
};

/** What the engine works with: it closes ports for names, and heeds what a backup has taken away. */
export type EngineBox = Core & EngineParts & { addresses: Addresses; https: HttpsPorts; backup: BackupPorts };

export type Sockets = {
  /** Empty if the kernel does not list them. */
  listening(): (ListeningSocket & { isThisBox: boolean })[];
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

/** An `up` that failed. Other apps' changes do not repeat it while the app has this digest. */
export type FailedUp = { why: 'down'; digest: string } | MissingImages | NotTried;

/** An app that a reconcile cannot bring up, such as one whose Compose file cannot be read. */
export type NotTried = { why: 'not tried'; error: string };

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
  look(): Paths & {
    of(folder: string): Disk;
    /** The places below a folder at which a disk or a folder of another machine is mounted. */
    below(folder: string): string[];
    isMountPoint(path: string): boolean;
  };
};

/** The apps that their owner has stopped. They stay stopped until he starts them, or an install does. */
export type StoppedApps = {
  /** By app, when it was stopped, in ms. Never throws. */
  all(): ReadonlyMap<string, number>;
  /** Throws StorageFailed, as `forget` does. */
  note(app: string, at: number): Promise<void>;
  forget(app: string): Promise<void>;
};

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
