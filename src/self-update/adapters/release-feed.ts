import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FeedText, ReleaseFeed } from '../ports.ts';
import { fail, type Service, UpdateFailed } from '../rules/reasons.ts';
import { httpGet, problemOf } from './http-get.ts';

const maxFeedBytes = 1024 * 1024;
const feedTimeoutMs = 10_000;

/**
 * A release feed at an HTTPS, `file:` or loopback HTTP address. Plain HTTP from elsewhere is refused where the
 * address is read from the settings, and here again after a redirection. `null`: no feed is configured.
 * choice/box/137, choice/box/138
 */
export function makeReleaseFeed(
  address: string | null,
  service: Service,
  timeoutMs = feedTimeoutMs,
): ReleaseFeed {
  return {
    async read() {
      if (address === null) fail('noFeed', { service });
      const timeout = AbortSignal.timeout(timeoutMs);
      const over = new AbortController();
      const signal = AbortSignal.any([timeout, over.signal]);
      try {
        const url = new URL(address);
        return url.protocol === 'file:' ? await readFeedFile(url) : await fetchFeed(url, signal);
      } catch (error) {
        if (error instanceof UpdateFailed) throw error;
        if (timeout.aborted) fail('feedTooSlow', { address, seconds: timeoutMs / 1000 }, error);
        fail('feedUnreadable', { address, problem: problemOf(error) }, error);
      } finally {
        over.abort();
      }
    },
  };
}

async function readFeedFile(url: URL): Promise<FeedText> {
  // Opened without blocking: opening a pipe would wait for a writer.
  const file = await open(fileURLToPath(url), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    // A device never ends.
    if (!stats.isFile()) fail('feedNoFile', { address: url.href });
    if (stats.size > maxFeedBytes) fail('feedTooLarge', { address: url.href, bytes: maxFeedBytes });
    return { text: await file.readFile('utf8'), address: url.href };
  } finally {
    await file.close();
  }
}

async function fetchFeed(url: URL, signal: AbortSignal): Promise<FeedText> {
  const { status, body, address } = await httpGet(url, {
    accept: 'application/json',
    signal,
    elsewhere: (target) => fail('feedElsewhere', { address: url.href, target }),
  });
  if (status < 200 || status > 299) fail('feedStatus', { address: url.href, status });
  return { text: await readBounded(body, url), address: address.href };
}

async function readBounded(body: AsyncIterable<Uint8Array>, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxFeedBytes) fail('feedTooLarge', { address: url.href, bytes: maxFeedBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
