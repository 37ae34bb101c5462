import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { trustSystemCertificates } from '../../lib/system-certificates.ts';
import { FeedFailed, NoFeed, type ReleaseFeed } from '../ports.ts';
import { isFeedAddress } from '../rules/feed-address.ts';

const maxFeedBytes = 1024 * 1024;
const feedTimeoutMs = 10_000;

/**
 * A release feed at an HTTPS, `file:` or loopback HTTP address. Plain HTTP from elsewhere is refused where the
 * address is read from the settings, and here again after a redirection.
 * choice/box/137, choice/box/138
 */
export function makeReleaseFeed(address: string | null): ReleaseFeed {
  return {
    async read() {
      if (address === null) {
        throw new NoFeed(
          'no release feed is configured; set BOX_RELEASE_FEED in /etc/boxgate/box.env (or --release-feed)',
        );
      }
      try {
        const url = new URL(address);
        return url.protocol === 'file:' ? await readFeedFile(url) : await fetchFeed(url);
      } catch (error) {
        if (error instanceof FeedFailed) throw error;
        throw new FeedFailed(`the release feed ${address} cannot be read: ${causeOf(error)}`, {
          cause: error,
        });
      }
    },
  };
}

async function readFeedFile(url: URL): Promise<string> {
  // Without waiting: a pipe is not even opened before somebody writes into it.
  const file = await open(fileURLToPath(url), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    // A device never ends.
    if (!stats.isFile()) throw new FeedFailed(`the release feed ${url.href} is no file`);
    if (stats.size > maxFeedBytes) throw tooLarge(url);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function fetchFeed(url: URL): Promise<string> {
  if (url.protocol === 'https:') trustSystemCertificates();
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(feedTimeoutMs),
  });
  if (!isFeedAddress(response.url)) {
    await response.body?.cancel();
    throw new FeedFailed(`the release feed ${url.href} leads to ${response.url}, which is not HTTPS`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new FeedFailed(`the release feed ${url.href} answers with status ${response.status}`);
  }
  return readBounded(response, url);
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxFeedBytes) throw tooLarge(url);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(url: URL): FeedFailed {
  return new FeedFailed(`the release feed ${url.href} has more than ${maxFeedBytes} bytes`);
}

/** `fetch` hides why it failed in the cause of its error. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
