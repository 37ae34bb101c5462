/** The feed and its signed statements. deploy/RELEASES.md describes them. */
import type { KeyObject } from 'node:crypto';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { ReleaseFailed } from './failure.ts';
import { isSignedBy, publicKeyOf, signText } from './keys.ts';

export type Signed = { statement: string; signature: string };

type FeedArchive = Signed & { url: string; sha256: string; size: number };

export type Feed = {
  version: string;
  archives: Record<string, FeedArchive>;
  /** Changes of the signing key. The previous key signs each change; the oldest key signs the first one. */
  key_changes?: Signed[];
};

/** A statement about one archive, without its dates. The sizes are in bytes. */
export type Release = {
  version: string;
  platform: string;
  sha256: string;
  size: number;
  unpackedSize: number;
  changelog: string | undefined;
  storeSchema: number;
};

export type Signing = {
  key: KeyObject;
  /** The next key. It signs the statements, and `key` signs only the change. */
  nextKey: KeyObject | undefined;
  issued: Date;
  expires: Date;
};

const maxKeyChanges = 10;

/** A feed of new archives, with the key changes of the previous feed. Throws ReleaseFailed. */
export function makeFeed(
  releases: readonly (Release & { url: string })[],
  previous: Feed | undefined,
  signing: Signing,
): Feed {
  if (previous !== undefined) requireSignedBy(previous, signing.key);
  const archives = releases.map(({ url, ...release }): [string, FeedArchive] => {
    const { sha256, size } = release;
    const statement = JSON.stringify({
      type: 'release',
      product: 'boxgate',
      version: release.version,
      platform: release.platform,
      sha256,
      size,
      unpacked_size: release.unpackedSize,
      issued: seconds(signing.issued),
      expires: seconds(signing.expires),
      changelog: release.changelog,
      store_schema: release.storeSchema,
    });
    return [release.platform, { url, sha256, size, ...signed(statement, signing) }];
  });
  return {
    version: releases[0]?.version ?? '',
    archives: Object.fromEntries(archives),
    ...keyChanges(previous, signing),
  };
}

/** The same statements with new dates. Throws ReleaseFailed if another key signed them. */
export function renewFeed(feed: Feed, signing: Signing): Feed {
  requireSignedBy(feed, signing.key);
  const archives = Object.entries(feed.archives).map(([platform, archive]) => {
    const dates = { issued: seconds(signing.issued), expires: seconds(signing.expires) };
    const statement = JSON.stringify({ ...JSON.parse(archive.statement), ...dates });
    return [platform, { ...archive, ...signed(statement, signing) }];
  });
  const { key_changes: _, ...rest } = feed;
  return { ...rest, archives: Object.fromEntries(archives), ...keyChanges(feed, signing) };
}

/** Parses a feed. Throws ReleaseFailed if it has no signed statements. */
export function parseFeed(text: string, name: string): Feed {
  const feed = parseJson(text);
  const archives = isJsonObject(feed) && isJsonObject(feed.archives) ? Object.values(feed.archives) : [];
  const changes = isJsonObject(feed) ? (feed.key_changes ?? []) : [];
  if (archives.length === 0 || !Array.isArray(changes) || ![...archives, ...changes].every(isSigned)) {
    throw new ReleaseFailed(`${name} is not a release.json with signed statements`);
  }
  return feed as Feed;
}

function isSigned(value: unknown): boolean {
  return isJsonObject(value) && typeof value.statement === 'string' && typeof value.signature === 'string';
}

/** Throws if another key signed the feed: boxes that trust this key could not update. */
function requireSignedBy(feed: Feed, key: KeyObject): void {
  const publicKey = publicKeyOf(key);
  const signatures = Object.values(feed.archives);
  if (signatures.every(({ statement, signature }) => isSignedBy(publicKey, statement, signature))) return;
  throw new ReleaseFailed('the feed is signed by another key than --key: give the key that signed it');
}

function keyChanges(previous: Feed | undefined, signing: Signing): Pick<Feed, 'key_changes'> {
  const { key, nextKey, issued } = signing;
  const changes = [...(previous?.key_changes ?? [])];
  if (nextKey !== undefined) {
    const statement = JSON.stringify({
      type: 'key',
      product: 'boxgate',
      key: publicKeyOf(nextKey),
      issued: seconds(issued),
    });
    changes.push({ statement, signature: signText(statement, key) });
  }
  return changes.length === 0 ? {} : { key_changes: changes.slice(-maxKeyChanges) };
}

function signed(statement: string, { key, nextKey = key }: Signing): Signed {
  return { signature: signText(statement, nextKey), statement };
}

/** As `2026-11-20T10:00:00Z`. */
export function seconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
