/** `npm run release` makes reproducible archives, and the feed that boxes read. See deploy/RELEASES.md. */
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { parseTask, usage } from './arguments.ts';
import { buildRelease, feedText, readFeed, rebuildRelease } from './build-release.ts';
import { ReleaseFailed } from './failure.ts';
import { renewFeed, seconds } from './feed.ts';
import { readPrivateKey } from './keys.ts';
import { signingOf, sourceTime } from './signing.ts';

const root = join(import.meta.dirname, '../../..');

async function run(argv: readonly string[]): Promise<string[]> {
  const task = parseTask(argv);
  if (task.kind === 'help') return [usage.trimEnd()];
  if (task.kind === 'rebuild') return await rebuildRelease(root, task, process.env);
  if (task.kind === 'build') return await buildRelease(root, task, process.env);
  const time = sourceTime(process.env);
  const issued = time === undefined ? new Date() : new Date(time * 1000);
  const signing = signingOf(task, readPrivateKey(task.key), issued);
  const feed = renewFeed(readFeed(task.feed), signing);
  await writeFileAtomic(task.feed, feedText(feed), 0o644);
  return [`${task.feed} is valid until ${seconds(signing.expires)}`];
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(line);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  // A file system error names its file; any other unexpected error is a defect.
  if (!(error instanceof ReleaseFailed) && code === undefined) throw error;
  console.error(`release: ${message}`);
  process.exitCode = error instanceof ReleaseFailed ? error.status : 1;
}
