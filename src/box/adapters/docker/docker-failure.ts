import { CommandFailed } from '../../../lib/process/run-command.ts';
import { ContainersFailed } from '../../core.ts';
import { failureText } from '../../rules/text/tool-output.ts';

/**
 * Throws a failed command as a ContainersFailed with a sentence for the owner, and any other error unchanged.
 * `silenceMs` is the longest silence that was allowed; `null` for a command that may be silent.
 */
export function throwContainersFailed(error: unknown, silenceMs: number | null = null): never {
  if (!(error instanceof CommandFailed)) throw error;
  const verb = error.argv.findLast((word) => composeVerbs.has(word)) ?? '';
  const command = `docker ${error.argv[1] === 'compose' ? `compose ${verb}` : error.argv[1]}`;
  if (error.timedOut && silenceMs !== null)
    throw new ContainersFailed(stalled(command, error, silenceMs), false, error);
  throw new ContainersFailed(sentence(command, error), isUnreachable(error), error);
}

/**
 * The same for a look at all containers, which an error of the engine or a cut answer leaves unknown. So does any
 * failure once containers are known to be there (`areThere`).
 */
export function throwContainersUnknown(error: unknown, areThere = false): never {
  if (!(error instanceof CommandFailed)) throw error;
  const isUnknown = areThere || error.isCut || /error response from daemon/i.test(error.stderrTail);
  if (isUnknown) throw new ContainersFailed(sentence(`docker ${error.argv[1]}`, error), true, error);
  return throwContainersFailed(error);
}

const composeVerbs = new Set(['config', 'up', 'down', 'pull', 'build', 'ps', 'stop', 'start']);

function stalled(command: string, error: CommandFailed, silenceMs: number): string {
  const minutes = silenceMs / 60_000;
  return `${command} was ended, because nothing moved for ${minutes} minutes: ${failureText(error.stderrTail)}`;
}

function sentence(command: string, error: CommandFailed): string {
  if (error.notFound) return 'the program docker is not on PATH; is Docker installed?';
  if (lacksCompose(error)) return noCompose;
  if (error.timedOut) return `${command} did not end in time; what it said last: ${failureText(error.stderrTail)}`;
  if (isUnreachable(error)) return `Docker does not answer; is it running? (${failureText(error.stderrTail)})`;
  if (/^fatal error: .*(?:memory|newosproc)/m.test(error.stderrTail)) return `${command} ${tooMuch}`;
  if (error.isCut && error.status === 0) return `${command} printed more than the box can read`;
  const lack = lackOfDevice(error.stderrTail);
  if (lack !== null) return lack;
  const how = error.signal === null ? `status ${error.status}` : `signal ${error.signal}`;
  return `${command} failed with ${how}: ${failureText(error.stderrTail)}`;
}

/** The Compose file asks for a GPU or another device that this machine or its Docker does not have. */
function lackOfDevice(said: string): string | null {
  const way = "or take it out of the app's Compose file (compose.override.yaml)";
  if (/could not select device driver|(?:unknown|invalid) runtime name: nvidia/i.test(said)) {
    return `the app asks for a GPU that Docker cannot give it: install the driver and the NVIDIA Container Toolkit, ${way}`;
  }
  const [, device] = /adding custom device "([^"]+)": no such file/i.exec(said) ?? [];
  return device === undefined
    ? null
    : `the app asks for the device ${device}, which this machine does not have: connect it, ${way}`;
}

const tooMuch =
  'needed more than 1 GiB of memory: a file that the Compose file names, or that such a file names, is too large or endless';

const noCompose =
  "Docker's Compose plugin is missing: install the package docker-compose-plugin (of Debian itself: docker-compose, of " +
  'Ubuntu: docker-compose-v2); then `docker compose version` answers';

/** Without the plugin, docker takes `compose` for an unknown command, or the next flag for one of its own. */
function lacksCompose({ argv, stderrTail }: CommandFailed): boolean {
  if (argv[1] !== 'compose') return false;
  return /unknown shorthand flag: 'p' in -p|'compose' is not a docker command|unknown command: docker compose/.test(
    stderrTail,
  );
}

/** Whether another command would fail, too. */
export function isUnreachable(error: CommandFailed): boolean {
  if (error.notFound || error.timedOut) return true;
  const said = error.stderrTail;
  if (/permission denied/i.test(said) && /docker[\w./-]{0,100}sock/i.test(said)) return true;
  return /cannot connect to the docker daemon|error during connect/i.test(said);
}
