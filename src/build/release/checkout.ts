/** The current commit. It is the only source of a release, so that anyone can reproduce it. */
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import { ReleaseFailed } from './failure.ts';

export type Checkout = {
  /** The time of the commit, in seconds since 1970. */
  time: number;
  /** Path to mode, as git writes it: `100644` or `100755`. */
  files: ReadonlyMap<string, string>;
};

const named = 10;

/** Throws ReleaseFailed if a file differs from the commit. */
export async function readCheckout(root: string): Promise<Checkout> {
  const changes = (await git(root, 'status', '--porcelain', '-z', '--no-renames')).split('\0').slice(0, -1);
  if (changes.length > 0) {
    const names = changes.slice(0, named).map((change) => change.slice(3));
    const more = changes.length > named ? ` and ${changes.length - named} more` : '';
    throw new ReleaseFailed(
      `the checkout differs from its commit in ${names.join(', ')}${more}: commit or remove what has changed`,
    );
  }
  const time = Number(await git(root, 'log', '-1', '--format=%ct'));
  const lines = (await git(root, 'ls-tree', '-r', '-z', 'HEAD')).split('\0').slice(0, -1);
  const files = lines.map((line): [string, string] => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]);
  return { time, files: new Map(files) };
}

async function git(root: string, ...words: string[]): Promise<string> {
  try {
    const { stdout } = await runCommand(['git', ...words], { cwd: root, timeoutMs: 60_000 });
    return stdout;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const reason = error.notFound ? 'git is not installed' : (error.stderrTail.split('\n')[0] ?? '');
    throw new ReleaseFailed(`a release is built from a git checkout: ${reason}`);
  }
}
