import { CommandFailed, type CommandOutput, runCommand } from '../lib/process/run-command.ts';
import { streamCommand } from '../lib/process/stream-command.ts';
import { onFault } from './ports.ts';
import { resticFailed } from './restic-failure.ts';

const outputLimit = 16 * 1024 * 1024;
const longestMs = { short: 60_000, urgent: 60 * 60_000, long: 24 * 60 * 60_000 };
/** How long restic may make no progress. A disk may have to spin up, or to write what its cache has. */
const idleMs = { server: 10_000, disk: 60_000, long: 5 * 60_000 };

/** Runs a command while it inherits the open file of a lock, so that the lock outlives a killed server. */
export type LendLock = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

export type ResticPlace = {
  /** Any address that restic takes. */
  address: string;
  /** Arguments of every call, without a secret. */
  options: readonly string[];
  keyFile: string;
  cacheDirectory: string;
  /** Further variables, such as the credentials of the place. */
  variables: Readonly<Record<string, string | undefined>>;
};

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
 * Makes the function that runs restic on one repository. The repository and the key are in the environment, never in
 * the arguments. A lock that a killed restic left is removed, and the command is repeated once. A failure is a
 * ResticFailed.
 */
export function makeRestic(
  place: ResticPlace,
  environment: Readonly<Record<string, string | undefined>>,
  lend: LendLock = (command) => command(undefined),
): RunRestic {
  const env = environmentOf(place, environment);
  const once: RunRestic = (args, kind = 'short') =>
    lend((inherited) =>
      runCommand(['restic', ...place.options, ...args], {
        cwd: '/',
        env,
        timeoutMs: longestMs[kind],
        idleMs: idleMs[kind === 'long' ? 'long' : place.address.startsWith('/') ? 'disk' : 'server'],
        onOutput: (text) => (isInVain(text, kind) ? 1 : undefined),
        outputLimit,
        inherited,
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      throw resticFailed(error, place.address);
    });
  return (args, kind) => {
    const again = async () => {
      await once(['unlock']); // Removes only locks whose process has ended.
      return once(args, kind);
    };
    return once(args, kind).catch(onFault(['locked'], again));
  };
}

/**
 * Runs restic on one repository and yields its output in parts. It takes no lock, so that a slow reader does not hold up
 * the backups. Throws ResticFailed.
 */
export async function* streamRestic(
  place: ResticPlace,
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const options = { env: environmentOf(place, environment), timeoutMs: longestMs.long, idleMs: idleMs.long, signal };
  try {
    yield* streamCommand(['restic', ...place.options, ...args, '--no-lock'], options);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw resticFailed(error, place.address);
  }
}

function environmentOf(place: ResticPlace, environment: Readonly<Record<string, string | undefined>>) {
  return {
    ...Object.fromEntries(passedOn.map((name) => [name, environment[name]])),
    ...place.variables,
    LC_ALL: 'C',
    RESTIC_REPOSITORY: place.address,
    RESTIC_PASSWORD_FILE: place.keyFile,
    RESTIC_CACHE_DIR: place.cacheDirectory,
  };
}
