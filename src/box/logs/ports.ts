/** The ports of an app's room: what it shows beside what the box knows of its apps. */

import type { ChangeEntry } from '../../lib/journal.ts';
import type { Usage } from './rules/usage.ts';

export type RoomPorts = {
  logs: ContainerLogs;
  /** Memory and processor of running containers now, by container id. Takes about two seconds. Throws ContainersFailed. */
  usage(containers: readonly string[]): Promise<Map<string, Usage>>;
  /** The space that folders take. Reads for a few seconds at most, and remembers the result for some minutes. */
  sizes(folders: readonly string[]): Promise<Map<string, FolderSize>>;
  history: ChangeHistory;
  keptFiles: KeptFiles;
};

export type ContainerLogs = {
  /**
   * Reads the last lines of a container's log with their times, and with `isFollowed` the later ones as they come;
   * `since` is the time of a line, to leave out those before it. `onOutput` gets the bytes of both outputs.
   */
  read(
    container: string,
    options: { lines: number; isFollowed: boolean; since: string | null },
    onOutput: (bytes: Buffer, output: 'stdout' | 'stderr') => void,
  ): { ended: Promise<LogEnd>; stop(): void };
};

/** How a log ended. `failed` means that Docker did not give the log; its reason is the end of `stderr`. */
export type LogEnd = 'ended' | 'failed' | 'no docker' | 'too many';

/** `isWhole`: everything was read; otherwise the folder takes more than that. */
export type FolderSize = { bytes: number; isWhole: boolean };

/** A change of an app that has ended. */
export type PastChange = Pick<ChangeEntry, 'operation' | 'by' | 'outcome' | 'detail' | 'durationMs'> & { at: string };

/** The latest changes of each app, from all processes of the box. */
export type ChangeHistory = {
  /** Never throws; a change is not held up by its history. */
  add(entry: ChangeEntry): void;
  /** The latest changes of an app, the newest first. Throws StorageFailed. */
  of(app: string): PastChange[];
};

/** The files of an app that an upgrade replaced. Every failure is a StorageFailed. */
export type KeptFiles = {
  /** The paths of the owner's versions, such as `compose.yaml.kept`, each with the path of the file that replaced it. */
  list(app: string): { kept: string; file: string }[];
  /** The lines that differ, as `diff -u` shows them; `null` if one of the files is too large or no text file. */
  difference(app: string, pair: { kept: string; file: string }): Promise<string | null>;
};
