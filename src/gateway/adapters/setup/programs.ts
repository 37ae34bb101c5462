import { adminEnv } from '../../../lib/admin-env.ts';
import { ignore } from '../../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { SetupFailed } from '../../setup/setup-ports.ts';

const stepMs = 15 * 60_000;

/** Runs a program to its end and returns its output. Throws SetupFailed. */
export async function runStep(argv: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, env: { ...adminEnv, DESTDIR: undefined }, timeoutMs: stepMs, mayBeCut: true };
  const failed = ignore(CommandFailed, (error) => {
    throw new SetupFailed(sentenceOf(error), { cause: error });
  });
  return (await runCommand(argv, options).catch(failed)).stdout;
}

/** Compose writes a line for each image and container, and the reason last. */
function sentenceOf({ argv, stderrTail, stdout, timedOut, notFound }: CommandFailed): string {
  const command = argv.join(' ');
  if (timedOut) return `${command} took longer than ${stepMs / 60_000} minutes`;
  if (notFound) return `there is no ${argv[0]}`;
  const lines = (stderrTail === '' ? stdout : stderrTail).split('\n').map((line) => line.trim());
  return `${command}: ${lines.findLast((line) => line !== '')?.slice(0, 400) ?? 'failed without a message'}`;
}
