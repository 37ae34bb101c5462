/** `npm run release` makes reproducible archives, and the feed that boxes read. See deploy/RELEASES.md. */
import { parseTask, type Task, usage } from './arguments.ts';
import { buildRelease, rebuildRelease, renewRelease } from './build-release.ts';
import { ReleaseFailed } from './failure.ts';

async function run(task: Task): Promise<string[]> {
  if (task.kind === 'help') return [usage.trimEnd()];
  if (task.kind === 'renew') return await renewRelease(task);
  if (task.kind === 'rebuild') return await rebuildRelease(task);
  return await buildRelease(task);
}

let statusOfFailure = 2;
try {
  const task = parseTask(process.argv.slice(2));
  statusOfFailure = 1;
  for (const line of await run(task)) console.log(line);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  // An error of the parser or of a file system names what is wrong; any other unexpected error is a defect.
  if (!(error instanceof ReleaseFailed) && code === undefined) throw error;
  console.error(`release: ${message.split('\n', 1)[0]}`);
  process.exitCode = statusOfFailure;
}
