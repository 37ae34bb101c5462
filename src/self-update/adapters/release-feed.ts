import { fileURLToPath } from 'node:url';
import { readRegularFile } from '../../lib/files/read-file.ts';
import type { FeedText, ReleaseFeed } from '../ports.ts';
import { fail, type Service, UpdateFailed } from '../rules/reasons.ts';
import { httpGet, problemOf } from './http-get.ts';

const maxFeedBytes = 1024 * 1024;
const feedTimeoutMs = 10_000;

/**
 * A release feed at an HTTPS, `file:` or loopback HTTP address. Other plain HTTP addresses are refused when the
 * settings are read, and here after a redirection. `null`: no feed is configured.
 * choice/box/137
 */
export function makeReleaseFeed(address: string | null, service: Service, timeoutMs = feedTimeoutMs): ReleaseFeed {
  return {
    async read() {
      if (address === null) fail('noFeed', { service });
      const timeout = AbortSignal.timeout(timeoutMs);
      const over = new AbortController();
      const signal = AbortSignal.any([timeout, over.signal]);
      try {
        const url = new URL(address);
        return url.protocol === 'file:' ? readFeedFile(url) : await fetchFeed(url, signal);
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

function readFeedFile(url: URL): FeedText {
  const address = url.href;
  const found = readRegularFile(fileURLToPath(url), maxFeedBytes + 1, 'followed');
  if (found === 'nothing') fail('feedUnreadable', { address, problem: 'there is no such file' });
  if (found === 'no file') fail('feedNoFile', { address });
  if (found.length > maxFeedBytes) fail('feedTooLarge', { address, bytes: maxFeedBytes });
  return { text: found.toString('utf8'), address };
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
