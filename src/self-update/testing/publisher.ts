import { generateKeyPairSync, sign } from 'node:crypto';
import { makeKeys } from '../adapters/keys.ts';
import { announcedRelease } from '../release-check.ts';

/** A key pair of a publisher, and signatures with it in Base64. */
type Publisher = { key: string; sign(text: string): string };

export function makePublisher(): Publisher {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    key: String(publicKey.export({ type: 'spki', format: 'pem' })),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

/** The fields of a good statement; `undefined` leaves a field out. */
export function statementWith(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: 'release',
    product: 'boxgate',
    version: '2.0.0',
    platform: 'linux-x64',
    sha256: 'ab'.repeat(32),
    size: 1000,
    unpacked_size: 4000,
    issued: '2026-03-01T10:00:00Z',
    expires: '2026-09-01T10:00:00Z',
    changelog: 'https://example.org/changelog',
    store_schema: 7,
    ...fields,
  });
}

/** One signed archive of a feed, as the statement announces it. */
export function signedArchive(publisher: Publisher, statement: string, fields: Record<string, unknown> = {}) {
  const { sha256, size } = JSON.parse(statement);
  const url = 'boxgate-2.0.0-linux-x64.tar.gz';
  return { url, sha256, size, signature: publisher.sign(statement), statement, ...fields };
}

/** An entry of `key_changes`: `from` makes the key of `to` the next one. */
export function keyChange(from: Publisher, to: Publisher, fields: Record<string, unknown> = {}) {
  const text = { type: 'key', product: 'boxgate', key: to.key, issued: '2026-01-01T00:00:00Z', ...fields };
  const statement = JSON.stringify(text);
  return { statement, signature: from.sign(statement) };
}

type Circumstances = { address: string; now: string };

/** The release that a machine reads from a feed if it trusts this key. */
export function readBy(key: string, feed: object, { address, now }: Circumstances) {
  return announcedRelease({
    releaseFeed: { read: async () => ({ text: JSON.stringify(feed), address }) },
    keys: { ...makeKeys('/nowhere', 'box'), trusted: async () => key },
    platform: 'linux-x64',
    now: () => new Date(now),
  });
}
