import { boundedBytes } from '../../lib/network/bounded-bytes.ts';
import type { ReleaseFeed } from '../ports.ts';
import { fail, NoReleaseFeed, type Service, settingOf, UpdateFailed } from '../rules/update-failed.ts';
import { openSource } from './source.ts';

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
      if (address === null) {
        const setting = settingOf(service, 'RELEASE_FEED');
        throw new NoReleaseFeed(`no release feed is configured; set ${setting} (or --release-feed)`);
      }
      const over = new AbortController();
      const late = `it was not complete after ${timeoutMs / 1000} seconds`;
      const tooSlow = new UpdateFailed(`the release feed ${address} cannot be read: ${late}`);
      const limit = setTimeout(() => over.abort(tooSlow), timeoutMs);
      try {
        const source = await openSource('feed', address, over.signal);
        return { text: await readBounded(source.body, address), address: source.address };
      } finally {
        clearTimeout(limit);
        over.abort();
      }
    },
  };
}

async function readBounded(body: AsyncIterable<Uint8Array>, address: string): Promise<string> {
  const bytes = await boundedBytes(body, maxFeedBytes);
  if (bytes === null) fail(`the release feed ${address} has more than ${maxFeedBytes} bytes`);
  return bytes.toString('utf8');
}
