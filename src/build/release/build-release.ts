import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import type { Task } from './arguments.ts';
import { buildArchives } from './build-archives.ts';
import { readCheckout } from './checkout.ts';
import { type Feed, makeFeed, parseFeed, seconds } from './feed.ts';
import { publicKeyOf, readPrivateKey, readPublicKey, signText } from './keys.ts';
import { signingOf, sourceTime } from './signing.ts';

/**
 * Builds the archives of the current commit, and writes the feed and the signatures beside them. Returns lines for the
 * terminal. Throws ReleaseFailed. The feed is written last, so that it never names a missing archive.
 */
export async function buildRelease(
  root: string,
  task: Extract<Task, { kind: 'build' }>,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { platforms, out, changelog } = task;
  // Reads the keys first, so that a wrong path fails before the build.
  const key = readPrivateKey(task.key);
  const previous = task.previous === undefined ? undefined : readFeed(task.previous);
  const checkout = await readCheckout(root);
  const time = sourceTime(environment) ?? checkout.time;
  const signing = signingOf(task, key, new Date(time * 1000));
  const { nextKey: signingKey = key } = signing;

  const publicKey = publicKeyOf(signingKey);
  const archives = { root, checkout, time, platforms, publicKey, out };
  const { version, releases, sums } = await buildArchives(archives);
  await writeFileAtomic(join(out, 'SHA256SUMS.sig'), `${signText(sums, signingKey)}\n`, 0o644);
  const described = releases.map((release) => ({ ...release, changelog }));
  const feed = makeFeed(described, previous, signing);
  await writeFileAtomic(join(out, 'release.json'), feedText(feed), 0o644);
  return [`boxgate ${version} is in ${out}, valid until ${seconds(signing.expires)}`, sums.trimEnd()];
}

/** Reproduces the archives of a release without its private key, for a comparison. */
export async function rebuildRelease(
  root: string,
  task: Extract<Task, { kind: 'rebuild' }>,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { platforms, out } = task;
  const publicKey = readPublicKey(task.publicKey);
  const checkout = await readCheckout(root);
  const time = sourceTime(environment) ?? checkout.time;
  const { version, sums } = await buildArchives({ root, checkout, time, platforms, publicKey, out });
  return [`boxgate ${version} is in ${out}, not signed: compare SHA256SUMS`, sums.trimEnd()];
}

export function readFeed(file: string): Feed {
  return parseFeed(readFileSync(file, 'utf8'), file);
}

export function feedText(feed: Feed): string {
  return `${JSON.stringify(feed, null, 2)}\n`;
}
