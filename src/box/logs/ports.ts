import type { AppsBox } from '../apps/ports.ts';
import type { Usage } from './rules/usage.ts';

export type LogsBox = AppsBox & { logs: LogsPorts };

export type LogsPorts = {
  /** Memory and processor of running containers now, by container id. Takes about two seconds. Throws ContainersFailed. */
  usage(containers: readonly string[]): Promise<Map<string, Usage>>;
  /** The space that folders take. Reads for a few seconds at most, and remembers the result for some minutes. */
  sizes(folders: readonly string[]): Promise<Map<string, FolderSize>>;
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
