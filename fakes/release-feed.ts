import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Contents, makeArchive } from './release-archive.ts';

/**
 * A release feed in a folder: `feed.json`, its archives and the public key, read through a `file:` address. The key
 * pair exists only in memory, so no key is ever committed. A signature is Ed25519 over the UTF-8 bytes of a statement,
 * in base64.
 */
export type ReleaseFeed = {
  folder: string;
  /** `file:` address of the feed, for `BOX_RELEASE_FEED`. */
  url: string;
  /** The public key as a PEM file, for `BOX_RELEASE_KEY`. */
  keyFile: string;
  /** The target of bad archive entries. */
  outside: string;
  /** Replaces the feed by one with this version and an archive for each platform. */
  publish: (version: string, faults?: ReleaseFaults) => void;
  publishText: (text: string) => void;
  /** Announces a new key; the following publications are signed with it. */
  changeKey: (announcedBy?: 'the present key' | 'a stranger') => void;
};

export type Statement = {
  type: 'release';
  product: string;
  version: string;
  platform: string;
  sha256: string;
  size: number;
  unpacked_size: number;
  issued: string;
  expires: string;
  changelog: string;
  store_schema: number;
};

/** The unsigned entry of one platform. */
export type Entry = { [field in 'url' | 'sha256' | 'signature' | 'statement']?: string | undefined } & {
  size?: number;
};

/** How a release differs from a valid one. */
export type ReleaseFaults = Contents & {
  /** Replaced fields of the statement, validly signed. */
  statement?: Partial<Statement>;
  entry?: Entry;
  /** Replaces the archive before it is signed. */
  signedBytes?: (bytes: Buffer) => Buffer;
  /** Replaces the archive after it was signed. */
  bytes?: (bytes: Buffer) => Buffer;
  signedBy?: 'a stranger';
  /** Swaps the entries of the platforms. */
  swapped?: boolean;
  /** The unsigned version in the feed. */
  feedVersion?: string;
};

const platforms = ['linux-x64', 'linux-arm64'] as const;
const dayMs = 24 * 60 * 60 * 1000;

/** The ISO time `days` from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().replace(/\.\d+/, '');

const signed = (text: string, key: KeyObject) => sign(null, Buffer.from(text), key).toString('base64');
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

export function makeReleaseFeed(folder: string, version = '0.0.1'): ReleaseFeed {
  mkdirSync(folder, { recursive: true });
  const keyFile = join(folder, 'release-key.pem');
  const outside = join(folder, 'outside');
  mkdirSync(outside, { recursive: true });
  let key = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, pemOf(key.publicKey));
  const keyChanges: { statement: string; signature: string }[] = [];
  const feedFile = join(folder, 'feed.json');
  const publishText = (text: string) => writeFileSync(feedFile, text);
  const publish = (offered: string, faults: ReleaseFaults = {}) => {
    const signer = faults.signedBy === 'a stranger' ? stranger() : key.privateKey;
    const [x64, arm64] = platforms.map((platform) =>
      publishArchive({ folder, outside, version: offered, platform }, faults, signer),
    );
    const archives = faults.swapped
      ? { 'linux-x64': arm64, 'linux-arm64': x64 }
      : { 'linux-x64': x64, 'linux-arm64': arm64 };
    const changes = keyChanges.length === 0 ? {} : { key_changes: keyChanges };
    publishText(`${JSON.stringify({ version: faults.feedVersion ?? offered, archives, ...changes }, null, 2)}\n`);
  };
  const changeKey: ReleaseFeed['changeKey'] = (announcedBy = 'the present key') => {
    const next = generateKeyPairSync('ed25519');
    const change = { type: 'key', product: 'boxgate', key: pemOf(next.publicKey), issued: inDays(-1) };
    const statement = JSON.stringify(change);
    const announcer = announcedBy === 'a stranger' ? stranger() : key.privateKey;
    keyChanges.push({ statement, signature: signed(statement, announcer) });
    key = next;
  };
  publish(version);
  return { folder, url: pathToFileURL(feedFile).href, keyFile, outside, publish, publishText, changeKey };
}

const stranger = () => generateKeyPairSync('ed25519').privateKey;

type Target = { folder: string; outside: string; version: string; platform: string };

/** Writes the archive of one platform and returns its feed entry. */
function publishArchive(
  target: Target,
  { statement, entry, signedBytes, bytes, ...contents }: ReleaseFaults,
  key: KeyObject,
) {
  const { folder, version, platform } = target;
  const name = `boxgate-${version}-${platform}.tar.gz`;
  const archive = makeArchive(target, contents);
  const right = signedBytes?.(archive.bytes) ?? archive.bytes;
  writeFileSync(join(folder, name), bytes?.(right) ?? right);
  const sha256 = createHash('sha256').update(right).digest('hex');
  const size = right.length;
  const full: Statement = {
    type: 'release',
    product: 'boxgate',
    version,
    platform,
    sha256,
    size,
    unpacked_size: archive.unpackedSize,
    issued: inDays(-1),
    expires: inDays(180),
    changelog: `https://releases.example/boxgate-${version}`,
    store_schema: 1,
  };
  const text = JSON.stringify({ ...full, ...statement });
  return { url: name, sha256, size, signature: signed(text, key), statement: text, ...entry };
}
