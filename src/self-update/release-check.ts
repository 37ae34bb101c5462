import type { UpdatePorts } from './ports.ts';
import { addressFrom, mayBeUnsigned } from './rules/feed-address.ts';
import type { Statement } from './rules/statement.ts';
import { fail } from './rules/update-failed.ts';

type AnnouncedRelease = {
  version: string;
  /** `null` if the feed has no statement, which is allowed only for a feed on this machine. */
  archive: TrustedArchive | null;
};

export type TrustedArchive = Statement & { url: string };

/**
 * The release that the feed announces, verified: signature, product, platform, version, dates. Throws UpdateFailed.
 * choice/box/139
 */
export async function announcedRelease(
  ports: Pick<UpdatePorts, 'releaseFeed' | 'keys' | 'platform' | 'now'>,
): Promise<AnnouncedRelease> {
  // Loaded on demand, because a start does not need it.
  const { parseRelease, presentKey } = await import('./rules/release.ts');
  const { judgeStatement } = await import('./rules/statement.ts');

  const feed = await ports.releaseFeed.read();
  const release = parseRelease(feed.text);
  const { platform } = ports;
  const { version } = release;
  const entry = release.archives[platform];
  if (entry?.statement === undefined) {
    if (mayBeUnsigned(feed.address)) return { version, archive: null };
    fail(
      `the release feed ${feed.address} has no signed statement on version ${version} for ${platform}, ` +
        'so nothing vouches for it; only a feed on this machine may be unsigned',
    );
  }
  const key = presentKey(await ports.keys.trusted(), release.keyChanges, ports.keys.isSigned);
  if (!ports.keys.isSigned(key, entry.statement, entry.signature)) {
    fail(
      `version ${version} for ${platform} is not signed by the key that is trusted here; ` +
        'the feed may be forged, or belong to another publisher: compare the key with that of the publisher',
    );
  }
  const statement = judgeStatement(entry.statement, { release, platform, entry, now: ports.now() });
  const url = addressFrom(feed.address, entry.url);
  if (url === null) {
    const orHere = feed.address.startsWith('file:') ? ', or in a file or on a web server of this machine' : '';
    const named = `the release feed ${feed.address} names an archive at ${entry.url}`;
    fail(`${named}; it has to be at an HTTPS address${orHere}`);
  }
  return { version, archive: { ...statement, url: url.href } };
}
