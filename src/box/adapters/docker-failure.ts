import { CommandFailed } from '../../lib/run-command.ts';
import { ContainersFailed } from '../ports.ts';

/** Throws a command that failed as a ContainersFailed with a sentence for the owner, and anything else as it is. */
export function throwContainersFailed(error: unknown): never {
  if (!(error instanceof CommandFailed)) throw error;
  const command = `docker ${error.argv[1] === 'compose' ? `compose ${composeVerb(error.argv)}` : error.argv[1]}`;
  throw new ContainersFailed(sentence(command, error), isUnreachable(error), error);
}

const composeVerbs = new Set(['up', 'down', 'pull', 'ps']);

function composeVerb(argv: readonly string[]): string {
  return argv.findLast((word) => composeVerbs.has(word)) ?? '';
}

function sentence(command: string, error: CommandFailed): string {
  if (error.notFound) return 'the program docker is not on PATH; is Docker installed?';
  if (error.timedOut)
    return `${command} did not end in time; what it said last: ${lastLines(error.stderrTail)}`;
  if (isUnreachable(error)) return `Docker does not answer; is it running? (${lastLines(error.stderrTail)})`;
  const how = error.signal === null ? `status ${error.status}` : `signal ${error.signal}`;
  return `${command} failed with ${how}: ${lastLines(error.stderrTail)}`;
}

function isUnreachable(error: CommandFailed): boolean {
  if (error.notFound || error.timedOut) return true;
  return /cannot connect to the docker daemon|error during connect|permission denied.*docker.*sock/i.test(
    error.stderrTail,
  );
}

const progress = [
  /^\W*(Container|Network|Volume|Image)\s+\S+\s+[A-Z][a-z]+$/,
  /^\S+ (Pulling|Pulled)$/,
] as const;

/** Progress is left out, and what Compose says of a service when the engine's own words follow. */
function lastLines(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isTold = lines.some((line) => line.startsWith('Error response from daemon'));
  const telling = lines.filter(
    (line) => !progress.some((pattern) => pattern.test(line)) && !(isTold && /^\S+ Error /.test(line)),
  );
  return (telling.length > 0 ? telling : lines).slice(-5).join(' / ') || 'nothing';
}
