import { join } from 'node:path';
import { adminEnv } from '../../../lib/admin-env.ts';
import { ignore } from '../../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { SetupFailed } from '../../setup/setup-ports.ts';

const stepMs = 15 * 60_000;

/** Runs Compose in the folder of a project, which has the files compose.yaml and .env. */
export function makeCompose(folder: string): (...argv: string[]) => Promise<string> {
  return (...argv) => run(['docker', 'compose', ...argv], folder);
}

/** The script that installs and removes a release, of the release in `root`. */
export function makeInstaller(root: string) {
  const script = join(root, 'deploy', 'install.sh');
  return {
    install: async () => {
      await run(['sh', script, 'gateway'], root);
    },
    // The folder of the release may be what is removed.
    uninstall: () => run(['sh', script, 'gateway', '--uninstall'], '/'),
  };
}

async function run(argv: readonly string[], cwd: string): Promise<string> {
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
