/**
 * Attacks on the announcement of a release. Attacks on its archive are in adapters/unpack.apart.test.ts and
 * archives.apart.test.ts.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyChange, makePublisher, readBy, signedArchive, statementWith } from './testing/publisher.ts';

const publisher = makePublisher();
const [second, third, attacker] = [makePublisher(), makePublisher(), makePublisher()];
const https = 'https://example.org/releases/release.json';

type Feed = { version?: string; archives?: unknown; key_changes?: unknown };

/** A machine that trusts the publisher's first key. */
function machine(feed: Feed, { address = https, now = '2026-03-02T10:00:00Z' } = {}) {
  return readBy(publisher.key, { version: '2.0.0', ...feed }, { address, now });
}

const archives = (fields: Record<string, unknown> = {}, signer = publisher) => ({
  archives: { 'linux-x64': signedArchive(signer, statementWith(fields)) },
});
const entryWith = (fields: Record<string, unknown>) => ({
  archives: { 'linux-x64': signedArchive(publisher, statementWith(), fields) },
});

describe('choice/box/139: a release', () => {
  test('is announced with what its publisher has signed', async () => {
    assert.deepEqual(await machine(archives()), {
      version: '2.0.0',
      archive: {
        url: 'https://example.org/releases/boxgate-2.0.0-linux-x64.tar.gz',
        version: '2.0.0',
        issued: new Date('2026-03-01T10:00:00Z'),
        expires: new Date('2026-09-01T10:00:00Z'),
        sha256: 'ab'.repeat(32),
        size: 1000,
        unpackedSize: 4000,
        changelog: 'https://example.org/changelog',
        storeSchema: 7,
      },
    });
  });

  const changes = (...key_changes: unknown[]) => ({ ...archives(), key_changes });
  const forged = archives({}, attacker);
  const ours = { address: 'file:///srv/release.json' };
  const unsigned = entryWith({ statement: undefined });
  const otherStatement = entryWith({ statement: statementWith({ size: 1 }) });
  const tooManyChanges = changes(...Array(11).fill(keyChange(publisher, second)));
  const attackersKey = { ...changes(keyChange(attacker, attacker)), ...forged };
  const attacks: [string, RegExp, Feed, { now?: string; address?: string }?][] = [
    ['arbitrary software: a statement signed by another key', /is not signed by the key/, forged],
    ['arbitrary software: a signature of another statement', /is not signed by the key/, otherStatement],
    ['arbitrary software: no statement at all', /has no signed statement/, unsigned],
    [
      'arbitrary software: a statement of a foreign product',
      /belongs to another release/,
      archives({ product: 'other' }),
    ],
    ['an archive of another platform', /belongs to another release/, archives({ platform: 'linux-arm64' })],
    ['a release without this platform', /has no signed statement/, { archives: {} }],
    ['an archive in a file of this machine', /names an archive at/, entryWith({ url: 'file:///etc/shadow' })],
    ['an archive at a web server of this machine', /names an archive at/, entryWith({ url: 'http://127.0.0.1/' })],
    ['a forged release beside a feed on this machine', /is not signed by the key/, forged, ours],
    ['rollback: an old version announced as a new one', / differ in /, archives({ version: '1.0.0' })],
    ['mix and match: the digest of another archive', / differ in /, entryWith({ sha256: 'cd'.repeat(32) })],
    ['mix and match: the size of another archive', / differ in /, entryWith({ size: 1001 })],
    ['freeze: news that have expired', / expired on /, archives(), { now: '2026-10-01T00:00:00Z' }],
    ['expired news on this machine', / expired on /, archives(), { ...ours, now: '2027-01-01T00:00:00Z' }],
    ['a clock that is years behind', /clock is wrong/, archives(), { now: '1970-01-01T00:00:00Z' }],
    ['a clock that is years ahead', / expired on /, archives(), { now: '2050-01-01T00:00:00Z' }],
    ['key compromise: a change to the key of an attacker', /is not signed by the key/, attackersKey],
    ['key compromise: the key from before a change', /is not signed by the key/, changes(keyChange(publisher, second))],
    ['a change to a key that is none', /is not signed by the key/, changes(keyChange(publisher, second, { key: 'x' }))],
    ['endless data: too many changes of the key', /its publisher has to make it again/, tooManyChanges],
  ];
  for (const [title, message, feed, circumstances] of attacks) {
    test(`attack: ${title} is refused`, async () => {
      await assert.rejects(machine(feed, circumstances), { name: 'UpdateFailed', message });
    });
  }

  test('choice/box/139: may be signed by a later key, which its feed leads to', async () => {
    const key_changes = [keyChange(publisher, second), keyChange(attacker, attacker), keyChange(second, third)];
    const { archive } = await machine({ ...archives({}, third), key_changes });
    assert.equal(archive?.size, 1000);
  });

  test('choice/box/137: is compared by the meaning of its version', async () => {
    const { version } = await machine({ ...archives({ version: '2.0.0+build.7' }), version: 'v2.0.0' });
    assert.equal(version, '2.0.0');
  });

  for (const address of ['file:///srv/release.json', 'http://127.0.0.1:9000/release.json']) {
    test(`choice/box/139: needs no statement in a feed on this machine: ${address}`, async () => {
      for (const feed of [{}, entryWith({ statement: undefined })]) {
        assert.deepEqual(await machine(feed, { address }), { version: '2.0.0', archive: null });
      }
    });
  }
});
