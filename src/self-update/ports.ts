import type { Lock } from '../lib/lock.ts';
import type { UpdateState } from './rules/update-state.ts';

/** Where new versions of the box software are announced. */
export type ReleaseFeed = {
  /** The announcement as it stands there now. Throws FeedFailed, whose message an owner can act on. */
  read(): Promise<string>;
};

export class FeedFailed extends Error {
  override name = 'FeedFailed';
}

/** No feed is configured. */
export class NoFeed extends FeedFailed {}

/** The service manager, as far as an update needs it. */
export type Jobs = {
  /**
   * Starts a command as a detached job with a name of which there can be only one; the job outlives us.
   * Throws JobFailed when the service manager does not take it.
   */
  start(unit: string, command: readonly string[], variables: Record<string, string>): Promise<JobStart>;
};

export type JobStart = 'started' | 'already running';

export class JobFailed extends Error {
  override name = 'JobFailed';
}

/** What an update leaves in the state directory. */
export type UpdateFiles = {
  /** The text of `update-state.json`, or null where there is none. */
  readState(): Promise<string | null>;
  writeState(state: UpdateState): Promise<void>;
  /** The update lock, or null while an update runs. */
  tryLock(): Promise<Lock | null>;
  /** The update lock for an update: who only tests it holds it for a moment, and is waited for. */
  lock(): Promise<Lock | null>;
  /** Tells an update which server it has to restart and to ask for its version. */
  writeRunning(running: RunningServer): Promise<void>;
};

export type RunningServer = {
  /** `http://HOST:PORT` */
  address: string;
  version: string;
  /** The unit that the service manager runs the server as; null where it runs by itself. */
  unit: string | null;
  pid: number;
};

/** What the self-update needs of the world. */
export type UpdatePorts = {
  releaseFeed: ReleaseFeed;
  jobs: Jobs;
  updateFiles: UpdateFiles;
  /** The version that runs. */
  version: string;
  now(): Date;
};
