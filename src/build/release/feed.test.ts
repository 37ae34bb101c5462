import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { readBy } from '../../self-update/testing/publisher.ts';
import { type Feed, makeFeed, parseFeed, renewFeed } from './feed.ts';
import { isSignedBy, publicKeyOf } from './keys.ts';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const issued = new Date('2026-11-20T10:00:00Z');
const expires = new Date('2027-05-19T10:00:00Z');
const release = {
  version: '0.2.0',
  platform: 'linux-x64',
  sha256: 'ab'.repeat(32),
  size: 47,
  unpackedSize: 130,
  changelog: 'https://boxgate.example/changes',
  storeSchema: 3,
  url: 'boxgate-0.2.0-linux-x64.tar.gz',
};

function feedOf(key: KeyObject, nextKey?: KeyObject, previous?: Feed): Feed {
  return makeFeed([release], previous, { key, nextKey, issued, expires });
}

function archiveOf(feed: Feed) {
  const archive = feed.archives['linux-x64'];
  assert(archive);
  return archive;
}

/** The key that a box with `publicKey` reaches by the key changes. */
function followed(feed: Feed, publicKey: string): string {
  const changes = feed.key_changes ?? [];
  return changes.reduce((present, { statement, signature }) => {
    return isSignedBy(present, statement, signature) ? JSON.parse(statement).key : present;
  }, publicKey);
}

function holds(feed: Feed, publicKey: string): boolean {
  const { statement, signature } = archiveOf(feed);
  return isSignedBy(followed(feed, publicKey), statement, signature);
}

test('states the product, version, platform, digest and dates, signed', () => {
  const key = newKey();
  const feed = feedOf(key);
  const { statement, signature, ...rest } = archiveOf(feed);
  assert.deepEqual(JSON.parse(statement), {
    type: 'release',
    product: 'boxgate',
    version: '0.2.0',
    platform: 'linux-x64',
    sha256: release.sha256,
    size: 47,
    unpacked_size: 130,
    issued: '2026-11-20T10:00:00Z',
    expires: '2027-05-19T10:00:00Z',
    changelog: 'https://boxgate.example/changes',
    store_schema: 3,
  });
  assert.deepEqual(rest, { url: release.url, sha256: release.sha256, size: 47 });
  assert(isSignedBy(publicKeyOf(key), statement, signature));
  assert.deepEqual(Object.keys(feed), ['version', 'archives']);
  assert(!isSignedBy(publicKeyOf(newKey()), statement, signature));
});

test('a key change leads from the old key to the signing key', () => {
  const [first, second, third] = [newKey(), newKey(), newKey()];
  const changed = feedOf(first, second);
  const { statement } = changed.key_changes?.[0] ?? { statement: '' };
  assert.deepEqual(JSON.parse(statement), {
    type: 'key',
    product: 'boxgate',
    key: publicKeyOf(second),
    issued: '2026-11-20T10:00:00Z',
  });
  const later = feedOf(second, undefined, changed);
  const changedAgain = renewFeed(later, { key: second, nextKey: third, issued, expires });
  for (const feed of [changed, later]) {
    assert(holds(feed, publicKeyOf(first)));
    assert(holds(feed, publicKeyOf(second)));
    assert(!holds(feed, publicKeyOf(third)));
  }
  for (const key of [first, second, third]) assert(holds(changedAgain, publicKeyOf(key)));
  assert(!holds(changedAgain, publicKeyOf(newKey())));
});

test('a renewed feed differs only in dates and signatures', () => {
  const key = newKey();
  const feed = feedOf(key);
  const dates = { issued: new Date('2027-05-01T00:00:00Z'), expires: new Date('2027-10-01T00:00:00Z') };
  const renewed = renewFeed(feed, { key, nextKey: undefined, ...dates });
  const [before, after] = [archiveOf(feed), archiveOf(renewed)];
  const statement = JSON.parse(before.statement);
  assert.equal(
    after.statement,
    JSON.stringify({ ...statement, issued: '2027-05-01T00:00:00Z', expires: '2027-10-01T00:00:00Z' }),
  );
  assert(isSignedBy(publicKeyOf(key), after.statement, after.signature));
  const { statement: _, signature } = after;
  assert.deepEqual({ ...renewed, archives: {} }, { ...feed, archives: {} });
  assert.deepEqual(after, { ...before, statement: after.statement, signature });
});

test('refuses a previous feed of another key', () => {
  const feed = feedOf(newKey());
  const message = /^the feed is signed by another key than --key/;
  assert.throws(() => feedOf(newKey(), undefined, feed), { message });
  assert.throws(() => renewFeed(feed, { key: newKey(), nextKey: undefined, issued, expires }), { message });
});

const noFeeds = [
  '',
  '[]',
  '{"version":"1.0.0"}',
  '{"archives":{"linux-x64":{"url":"a"}}}',
  '{"archives":{"a":null}}',
  '{"archives":{"a":{"statement":"{}","signature":""}},"key_changes":[{}]}',
];
for (const text of noFeeds) {
  test(`takes ${text === '' ? 'nothing' : text} for no feed`, () => {
    assert.throws(() => parseFeed(text, 'f'), { name: 'ReleaseFailed', message: /^f is not a release\.json/ });
  });
}

/** Reads the feed like a box that trusts a key. */
function box(feed: Feed, key: KeyObject, now = '2026-12-01T00:00:00Z') {
  const address = 'https://boxgate.example/releases/release.json';
  return readBy(publicKeyOf(key), feed, { address, now });
}

test('a published release is news to a box', async () => {
  const key = newKey();
  assert.partialDeepStrictEqual(await box(feedOf(key), key), {
    version: '0.2.0',
    archive: {
      url: `https://boxgate.example/releases/${release.url}`,
      sha256: release.sha256,
      size: 47,
      unpackedSize: 130,
      changelog: release.changelog,
      storeSchema: 3,
    },
  });
});

test('an expired feed is news again once it is renewed', async () => {
  const key = newKey();
  const later = { issued: new Date('2027-06-01T00:00:00Z'), expires: new Date('2027-12-01T00:00:00Z') };
  const renewed = renewFeed(feedOf(key), { key, nextKey: undefined, ...later });
  await assert.rejects(box(feedOf(key), key, '2027-06-02T00:00:00Z'), { message: / expired on / });
  assert.equal((await box(renewed, key, '2027-06-02T00:00:00Z')).version, '0.2.0');
});

test('boxes with each of eleven keys follow ten changes', async () => {
  const keys = Array.from({ length: 12 }, newKey);
  const feedAfter = (changes: number): Feed => {
    const [key, nextKey] = keys.slice(changes - 1);
    assert(key && nextKey);
    const previous = changes === 1 ? undefined : feedAfter(changes - 1);
    return feedOf(key, nextKey, previous);
  };
  for (const key of keys.slice(0, 11)) assert.equal((await box(feedAfter(10), key)).version, '0.2.0');
  const [first, ...others] = keys;
  assert(first);
  for (const key of others) assert.equal((await box(feedAfter(11), key)).version, '0.2.0');
  await assert.rejects(box(feedAfter(11), first), { message: /is not signed by the key/ });
});
