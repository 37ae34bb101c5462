/** Boxes accept the feeds and archives of a release. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeKeys } from '../../self-update/adapters/keys.ts';
import { unpackArchive } from '../../self-update/adapters/unpack.ts';
import { announcedRelease } from '../../self-update/release-check.ts';
import { makeArchive } from './archive.ts';
import { type Feed, makeFeed, renewFeed } from './feed.ts';
import { publicKeyOf } from './keys.ts';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const dates = { issued: new Date('2026-11-20T10:00:00Z'), expires: new Date('2027-05-19T10:00:00Z') };
const release = {
  version: '0.2.0',
  platform: 'linux-x64',
  sha256: 'ab'.repeat(32),
  size: 47,
  unpackedSize: 130,
  changelog: undefined,
  storeSchema: 3,
  url: 'boxgate-0.2.0-linux-x64.tar.gz',
};

/** Reads the feed like a box that trusts a key. */
function box(feed: Feed, key: KeyObject, now = '2026-12-01T00:00:00Z') {
  const address = 'https://boxgate.example/releases/release.json';
  return announcedRelease({
    releaseFeed: { read: async () => ({ text: JSON.stringify(feed), address }) },
    keys: { ...makeKeys('/nowhere', 'box'), trusted: async () => publicKeyOf(key) },
    platform: 'linux-x64',
    now: () => new Date(now),
  });
}

test('a published release is news to a box. choice/box/351', async () => {
  const key = newKey();
  assert.deepEqual(await box(makeFeed([release], undefined, { key, nextKey: undefined, ...dates }), key), {
    version: '0.2.0',
    archive: {
      url: 'https://boxgate.example/releases/boxgate-0.2.0-linux-x64.tar.gz',
      sha256: release.sha256,
      size: 47,
      unpackedSize: 130,
      changelog: null,
      storeSchema: 3,
    },
  });
});

test('an expired feed is news again once it is renewed. choice/box/351', async () => {
  const key = newKey();
  const feed = makeFeed([release], undefined, { key, nextKey: undefined, ...dates });
  const later = { issued: new Date('2027-06-01T00:00:00Z'), expires: new Date('2027-12-01T00:00:00Z') };
  const renewed = renewFeed(feed, { key, nextKey: undefined, ...later });
  await assert.rejects(box(feed, key, '2027-06-02T00:00:00Z'), { code: 'expired' });
  assert.equal((await box(renewed, key, '2027-06-02T00:00:00Z')).version, '0.2.0');
});

test('boxes with each of eleven keys follow ten changes. choice/box/352', async () => {
  const keys = Array.from({ length: 12 }, newKey);
  const feedAfter = (changes: number): Feed => {
    const [key, nextKey] = keys.slice(changes - 1);
    assert(key && nextKey);
    const previous = changes === 1 ? undefined : feedAfter(changes - 1);
    return makeFeed([release], previous, { key, nextKey, ...dates });
  };
  for (const key of keys.slice(0, 11)) assert.equal((await box(feedAfter(10), key)).version, '0.2.0');
  const [first, ...others] = keys;
  assert(first);
  for (const key of others) assert.equal((await box(feedAfter(11), key)).version, '0.2.0');
  await assert.rejects(box(feedAfter(11), first), { code: 'badSignature' });
});

test('a published archive is unpacked within the size that is signed. choice/box/353', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'release-accepted-'));
  t.after(() => rmSync(folder, { recursive: true }));
  // A path of more than 100 bytes needs an extended tar header.
  const long = `src/${'folder/'.repeat(20)}page.css`;
  const files = [
    { path: 'bin/node', bytes: Buffer.from('node'), executable: true },
    { path: long, bytes: Buffer.from('text'), executable: false },
  ];
  const { bytes, unpackedSize } = await makeArchive('boxgate-0.2.0-linux-x64', files, 1_700_000_000);
  writeFileSync(join(folder, 'archive'), bytes);
  const target = join(folder, 'target');
  await unpackArchive(join(folder, 'archive'), target, unpackedSize);
  assert.deepEqual(readdirSync(target), ['bin', 'src']);
  assert.equal(statSync(join(target, 'bin/node')).mode & 0o777, 0o755);
  assert.equal(readFileSync(join(target, long), 'utf8'), 'text');
});
