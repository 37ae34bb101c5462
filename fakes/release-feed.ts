import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeArchive } from './release-archive.ts';

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
  /** Replaces the feed by one with this version and an archive for each platform. */
  publish: (version: string) => void;
  /** Replaces the feed by this text. */
  publishText: (text: string) => void;
  /** Replaces the feed by the one that `makeReleaseFeed` created. */
  reset: () => void;
};

const platforms = ['linux-x64', 'linux-arm64'] as const;
const dayMs = 24 * 60 * 60 * 1000;

/** The ISO time `days` from now. */
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().replace(/\.\d+/, '');

/** Creates a feed in `folder` that offers `version`. */
export function makeReleaseFeed(folder: string, version = '0.0.1'): ReleaseFeed {
  mkdirSync(folder, { recursive: true });
  const keyFile = join(folder, 'release-key.pem');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const feedFile = join(folder, 'feed.json');
  const publishText = (text: string) => writeFileSync(feedFile, text);
  const publish = (offered: string) => {
    const entries = platforms.map((platform) => [platform, publishArchive(folder, offered, platform, privateKey)]);
    publishText(`${JSON.stringify({ version: offered, archives: Object.fromEntries(entries) }, null, 2)}\n`);
  };
  publish(version);
  const first = readFileSync(feedFile, 'utf8');
  return { folder, url: pathToFileURL(feedFile).href, keyFile, publish, publishText, reset: () => publishText(first) };
}

/** Writes the archive of one platform and returns its feed entry. */
function publishArchive(folder: string, version: string, platform: string, key: KeyObject) {
  const name = `boxgate-${version}-${platform}.tar.gz`;
  const { bytes, unpackedSize } = makeArchive(version, platform);
  writeFileSync(join(folder, name), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const size = bytes.length;
  const statement = JSON.stringify({
    type: 'release',
    product: 'boxgate',
    version,
    platform,
    sha256,
    size,
    unpacked_size: unpackedSize,
    issued: inDays(-1),
    expires: inDays(180),
    changelog: `https://releases.example/boxgate-${version}`,
    store_schema: 1,
  });
  return { url: name, sha256, size, signature: sign(null, Buffer.from(statement), key).toString('base64'), statement };
}
