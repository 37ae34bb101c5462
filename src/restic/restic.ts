import { CommandFailed, type CommandOutput, runCommand } from '../lib/process/run-command.ts';
import { streamCommand } from '../lib/process/stream-command.ts';
import { onFault, type RepositoryPlace } from './ports.ts';
import { resticFailed } from './restic-failure.ts';

const outputLimit = 16 * 1024 * 1024;
const longestMs = { short: 60_000, urgent: 60 * 60_000, long: 24 * 60 * 60_000 };
/** How long restic may make no progress. A disk may have to spin up, or to write what its cache has. */
const idleMs = { server: 10_000, disk: 60_000, long: 5 * 60_000 };

/** Runs a command while it inherits the open file of a lock, so that the lock outlives a killed server. */
export type LendLock = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

/**
 * `urgent`: an app is stopped or changes wait, so it may take an hour. `long` may take a day, and waits some minutes for
 * a place that is away.
 */
export type Kind = 'short' | 'long' | 'urgent';
export type RunRestic = (args: readonly string[], kind?: Kind) => Promise<CommandOutput>;

/** The pauses between tries grow: one of five seconds comes after about ten seconds. */
const awayForLong = /returned error, retrying after (?:(?:[5-9]|\d\d+)(?:\.\d+)?s|\d+m\d)/;
/** No later try has another end. */
const inVain = /returned error, retrying after .{1,999}: read-only file system/;

const isInVain = (text: string, kind: Kind) => inVain.test(text) || (kind !== 'long' && awayForLong.test(text));

/** Variables of this process that restic may need: programs, SSH keys, a proxy and certificates. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SSL_CERT_FILE', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/**
 * Runs restic on one repository. The repository and the key are in the environment, never in the arguments. A failure is
 * a ResticFailed.
 */
export function makeRestic(
  { address, options, ready }: RepositoryPlace,
  { keyFile, cacheDirectory }: { keyFile: string; cacheDirectory: string },
  environment: Readonly<Record<string, string | undefined>>,
  lend: LendLock = (command) => command(undefined),
) {
  const command = (args: readonly string[]) => ['restic', ...options, ...args];
  const variables = async () => ({
    ...Object.fromEntries(passedOn.map((name) => [name, environment[name]])),
    ...(await ready()),
    LC_ALL: 'C',
    RESTIC_REPOSITORY: address,
    RESTIC_PASSWORD_FILE: keyFile,
    RESTIC_CACHE_DIR: cacheDirectory,
  });
  const failed = (error: unknown): never => {
    throw error instanceof CommandFailed ? resticFailed(error, address) : error;
  };
  const once: RunRestic = async (args, kind = 'short') => {
    const options = {
      cwd: '/',
      env: await variables(),
      timeoutMs: longestMs[kind],
      idleMs: idleMs[kind === 'long' ? 'long' : address.startsWith('/') ? 'disk' : 'server'],
      onOutput: (text: string) => (isInVain(text, kind) ? 1 : undefined),
      outputLimit,
    };
    return lend((inherited) => runCommand(command(args), { ...options, inherited })).catch(failed);
  };
  /** A lock that a killed restic left is removed, and the command is repeated once. */
  const run: RunRestic = (args, kind) => {
    const again = async () => {
      await once(['unlock']); // Removes only locks whose process has ended.
      return once(args, kind);
    };
    return once(args, kind).catch(onFault(['locked'], again));
  };
  /** Yields the output in parts. Takes no lock, so that a slow reader does not hold up the backups. */
  async function* stream(args: readonly string[], signal: AbortSignal): AsyncGenerator<Buffer> {
    const limits = { timeoutMs: longestMs.long, idleMs: idleMs.long };
    try {
      yield* streamCommand(command([...args, '--no-lock']), { env: await variables(), ...limits, signal });
    } catch (error) {
      failed(error);
    }
  }
  return { run, stream };
}
