import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tarEntry } from './tar-entry.ts';

/**
 * A release feed in a folder: `feed.json`, its archives and the public key, as a box reads them from a
 * `file:` address. The key pair is made here and lives as long as the object: no key is ever committed.
 * A signature is Ed25519 over the bytes of the archive, in base64.
 */
export type ReleaseFeed = {
  /** `file:` address of the feed, for `BOX_RELEASE_FEED`. */
  url: string;
  /** The public key as a PEM file, for `BOX_RELEASE_KEY`. */
  keyFile: string;
  /** Replaces the feed by one that offers this version, with an archive for each platform. */
  publish: (version: string) => void;
  /** Replaces the feed's text by these bytes, whatever they are. */
  publishText: (text: string) => void;
};

const platforms = ['linux-x64', 'linux-arm64'];

/** Makes a feed in `folder` that offers `version`. */
export function makeReleaseFeed(folder: string, version = '0.0.1'): ReleaseFeed {
  mkdirSync(folder, { recursive: true });
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'release-key.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const feedFile = join(folder, 'feed.json');
  const publishText = (text: string) => writeFileSync(feedFile, text);
  const publish = (offered: string) => {
    const archives = Object.fromEntries(
      platforms.map((platform) => [platform, writeArchive(folder, offered, platform, privateKey)]),
    );
    publishText(`${JSON.stringify({ version: offered, archives }, null, 2)}\n`);
  };
  publish(version);
  return { url: pathToFileURL(feedFile).href, keyFile, publish, publishText };
}

function writeArchive(folder: string, version: string, platform: string, key: KeyObject) {
  const file = join(folder, `boxgate-${version}-${platform}.tar.gz`);
  const bytes = gzipSync(
    Buffer.concat([tarEntry('VERSION', Buffer.from(`${version}\n`)), Buffer.alloc(1024)]),
  );
  writeFileSync(file, bytes);
  return {
    url: pathToFileURL(file).href,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    signature: sign(null, bytes, key).toString('base64'),
  };
}
