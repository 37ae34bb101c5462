import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { failingReleases, spoiledReleases, unprovenReleases } from './release-faults.ts';
import { makeReleaseFeed, type ReleaseFeed, type Statement } from './release-feed.ts';

const root = mkdtempSync(join(tmpdir(), 'boxgate-feed-'));
after(() => rmSync(root, { recursive: true, force: true }));
let feed: ReleaseFeed;
beforeEach(() => {
  feed = makeReleaseFeed(mkdtempSync(join(root, 'feed-')));
});

type Entry = { url: string; sha256: string; size: number; signature: string; statement: string };
type Signed = { statement: string; signature: string };
type Feed = { version: string; archives: Record<string, Entry>; key_changes?: Signed[] };

const readFeed = () => JSON.parse(readFileSync(fileURLToPath(feed.url), 'utf8')) as Feed;
const isSigned = ({ statement, signature }: Signed, key: string) =>
  verify(null, Buffer.from(statement), createPublicKey(key), Buffer.from(signature, 'base64'));
const ownKey = () => readFileSync(feed.keyFile, 'utf8');

/** The problems of one platform's entry; empty for a valid one. */
function problems(platform = 'linux-x64'): string[] {
  const { version, archives } = readFeed();
  const entry = archives[platform];
  if (entry?.statement === undefined || entry.signature === undefined) return ['incomplete'];
  const said = JSON.parse(entry.statement) as Statement;
  const bytes = readFileSync(join(feed.folder, entry.url));
  const now = new Date().toISOString();
  const digest = createHash('sha256').update(bytes).digest('hex');
  const wrong = {
    signature: !isSigned(entry, ownKey()),
    product: said.product !== 'boxgate' || said.type !== 'release',
    version: said.version !== version,
    platform: said.platform !== platform,
    'mix of two': said.sha256 !== entry.sha256 || said.size !== entry.size,
    expired: said.expires < now,
    clock: said.issued > now,
    size: bytes.length !== said.size,
    digest: digest !== said.sha256,
  };
  return Object.entries(wrong).flatMap(([name, is]) => (is ? [name] : []));
}

test('a publication is signed for each platform', () => {
  feed.publish('1.2.3');
  assert.deepEqual([problems('linux-x64'), problems('linux-arm64')], [[], []]);
  assert.deepEqual([readFeed().version, readFeed().key_changes], ['1.2.3', undefined]);
});

test('each named fault of a statement, a signature or an archive is the only one', () => {
  const expected: Record<string, string[]> = {
    expired: ['expired'],
    'issued in the future': ['clock'],
    'of a foreign product': ['product'],
    "with the other platform's archive": ['platform'],
    'with a statement on another version': ['version'],
    'signed by a stranger': ['signature'],
    'with the signature of another text': ['signature'],
    'without a signature': ['incomplete'],
    'without a statement': ['incomplete'],
    'with another digest than the statement': ['mix of two'],
    'with one byte changed': ['digest'],
    truncated: ['size', 'digest'],
    'larger than said': ['size', 'digest'],
  };
  for (const [name, faults] of [...unprovenReleases, ...spoiledReleases, ...failingReleases]) {
    feed.publish('1.2.3', faults);
    assert.deepEqual(problems(), expected[name] ?? [], name);
  }
});

test('a publication after a change of key is signed by the next key, which the present one announced', () => {
  for (const expected of [1, 2]) {
    feed.changeKey();
    feed.publish('1.2.3');
    const { archives, key_changes: changes = [] } = readFeed();
    assert.equal(changes.length, expected);
    const last = changes.reduce((key, change) => {
      assert.ok(isSigned(change, key));
      const { type, product, key: next } = JSON.parse(change.statement);
      assert.deepEqual([type, product], ['key', 'boxgate']);
      return next as string;
    }, ownKey());
    assert.ok(archives['linux-x64'] && isSigned(archives['linux-x64'], last));
    assert.deepEqual(problems(), ['signature'], 'the own key did not sign it');
  }
});

test("a stranger's change of key is not signed by the present one", () => {
  feed.changeKey('a stranger');
  feed.publish('1.2.3');
  const [change] = readFeed().key_changes ?? [];
  assert.ok(change && !isSigned(change, ownKey()));
});
