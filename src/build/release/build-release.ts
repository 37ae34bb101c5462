import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import type { Keys, Task } from './arguments.ts';
import { buildArchives } from './build-archives.ts';
import { readCheckout } from './checkout.ts';
import { ReleaseFailed } from './failure.ts';
import { type Feed, makeFeed, parseFeed, renewFeed, type Signing, seconds } from './feed.ts';
import { publicKeyOf, readPrivateKey, readPublicKey, signText } from './keys.ts';

type TaskOf<Kind> = Extract<Task, { kind: Kind }>;

const root = join(import.meta.dirname, '../../..');
const validMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Builds the archives of the current commit, and writes the feed and the signatures beside them. Returns lines for the
 * terminal. Throws ReleaseFailed. The feed is written last, so that it never names a missing archive.
 */
export async function buildRelease(task: TaskOf<'build'>): Promise<string[]> {
  const { platforms, out, changelog } = task;
  // Reads the keys first, so that a wrong path fails before the build.
  const key = readPrivateKey(task.key);
  const previous = task.previous === undefined ? undefined : readFeed(task.previous);
  const checkout = await readCheckout(root);
  const time = sourceTime() ?? checkout.time;
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
export async function rebuildRelease(task: TaskOf<'rebuild'>): Promise<string[]> {
  const { platforms, out } = task;
  const publicKey = readPublicKey(task.publicKey);
  const checkout = await readCheckout(root);
  const time = sourceTime() ?? checkout.time;
  const { version, sums } = await buildArchives({ root, checkout, time, platforms, publicKey, out });
  return [`boxgate ${version} is in ${out}, not signed: compare SHA256SUMS`, sums.trimEnd()];
}

/** Signs the statements of a feed again, with new dates. */
export async function renewRelease(task: TaskOf<'renew'>): Promise<string[]> {
  const time = sourceTime();
  const issued = time === undefined ? new Date() : new Date(time * 1000);
  const signing = signingOf(task, readPrivateKey(task.key), issued);
  await writeFileAtomic(task.feed, feedText(renewFeed(readFeed(task.feed), signing)), 0o644);
  return [`${task.feed} is valid until ${seconds(signing.expires)}`];
}

function readFeed(file: string): Feed {
  return parseFeed(readFileSync(file, 'utf8'), file);
}

function feedText(feed: Feed): string {
  return `${JSON.stringify(feed, null, 2)}\n`;
}

/** Reads the next key and computes the dates for signing. Throws ReleaseFailed. */
function signingOf(keys: Keys, key: KeyObject, issued: Date): Signing {
  const expires = keys.expires ?? new Date(issued.getTime() + validMs);
  if (expires <= issued) {
    throw new ReleaseFailed(
      `--expires ${expires.toISOString()} is not after ${issued.toISOString()}, when the statements are issued`,
    );
  }
  const nextKey = keys.nextKey === undefined ? undefined : readPrivateKey(keys.nextKey);
  return { key, nextKey, issued, expires };
}

/** SOURCE_DATE_EPOCH in seconds since 1970; `undefined` if it is not set. Throws ReleaseFailed. */
function sourceTime(): number | undefined {
  const { SOURCE_DATE_EPOCH: value } = process.env;
  if (value === undefined || value === '') return undefined;
  if (!/^\d{1,10}$/.test(value)) {
    throw new ReleaseFailed(`SOURCE_DATE_EPOCH is ${value}, expected seconds since 1970`);
  }
  return Number(value);
}
