import { CommandFailed } from '../../../lib/process/run-command.ts';
import { ContainersFailed } from '../../ports.ts';
import { failureText } from '../../rules/text/tool-output.ts';

/** Throws a failed command as a ContainersFailed with a sentence for the owner, and any other error unchanged. */
export function throwContainersFailed(error: unknown): never {
  if (!(error instanceof CommandFailed)) throw error;
  const command = `docker ${error.argv[1] === 'compose' ? `compose ${composeVerb(error.argv)}` : error.argv[1]}`;
  throw new ContainersFailed(sentence(command, error), isUnreachable(error), error);
}

const composeVerbs = new Set(['config', 'up', 'down', 'pull', 'ps']);

function composeVerb(argv: readonly string[]): string {
  return argv.findLast((word) => composeVerbs.has(word)) ?? '';
}

function sentence(command: string, error: CommandFailed): string {
  if (error.notFound) return 'the program docker is not on PATH; is Docker installed?';
  if (error.timedOut) return `${command} did not end in time; what it said last: ${failureText(error.stderrTail)}`;
  if (isUnreachable(error)) return `Docker does not answer; is it running? (${failureText(error.stderrTail)})`;
  const how = error.signal === null ? `status ${error.status}` : `signal ${error.signal}`;
  return `${command} failed with ${how}: ${failureText(error.stderrTail)}`;
}

function isUnreachable(error: CommandFailed): boolean {
  if (error.notFound || error.timedOut) return true;
  const said = error.stderrTail;
  if (/permission denied/i.test(said) && /docker[\w./-]{0,100}sock/i.test(said)) return true;
  return /cannot connect to the docker daemon|error during connect/i.test(said);
}
