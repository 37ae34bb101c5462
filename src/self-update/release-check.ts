import type { UpdatePorts } from './ports.ts';
import { addressFrom, mayBeUnsigned } from './rules/feed-address.ts';
import { fail } from './rules/reasons.ts';

/** The release that the feed announces for this platform. */
type AnnouncedRelease = {
  version: string;
  /** `null` if the feed has no statement, which is allowed only for a feed on this machine. */
  archive: TrustedArchive | null;
};

/** The signed facts about the archive of a release. Sizes are bytes. */
export type TrustedArchive = {
  url: string;
  sha256: string;
  size: number;
  unpackedSize: number;
  changelog: string | null;
  storeSchema: number;
};

/**
 * The release that the feed announces, verified: signature, product, platform, version, dates. Throws UpdateFailed.
 * choice/box/139
 */
export async function announcedRelease(
  ports: Pick<UpdatePorts, 'releaseFeed' | 'keys' | 'platform' | 'now'>,
): Promise<AnnouncedRelease> {
  // Loaded on demand, because a start does not need it.
  const { parseRelease } = await import('./rules/release.ts');
  const { presentKey } = await import('./rules/key-chain.ts');
  const { judgeStatement } = await import('./rules/statement.ts');

  const feed = await ports.releaseFeed.read();
  const release = parseRelease(feed.text);
  const { platform } = ports;
  const { version } = release;
  const entry = release.archives[platform];
  if (entry?.statement === undefined) {
    if (!mayBeUnsigned(feed.address)) fail('unsigned', { address: feed.address, version, platform });
    return { version, archive: null };
  }
  const key = presentKey(await ports.keys.trusted(), release.keyChanges, ports.keys.isSigned);
  if (!ports.keys.isSigned(key, entry.statement, entry.signature)) fail('badSignature', { version, platform });
  const statement = judgeStatement(entry.statement, { release, platform, entry, now: ports.now() });
  const url = addressFrom(feed.address, entry.url);
  if (url === null) fail('archiveAddress', { address: feed.address, target: entry.url });
  const { sha256, size, unpackedSize, changelog, storeSchema } = statement;
  return { version, archive: { url: url.href, sha256, size, unpackedSize, changelog, storeSchema } };
}
