import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeReleaseFeed } from './release-feed.ts';

const feedUrl = 'https://releases.example.org/boxgate.json';
const feeds = setupServer();
before(() => feeds.listen({ onUnhandledFrame: 'error' }));
afterEach(() => feeds.resetHandlers());
after(() => feeds.close());

const readFeed = (address = feedUrl) => makeReleaseFeed(address, 'box').read();
const redirect = (Location: string) => () => HttpResponse.text('', { status: 302, headers: { Location } });

const endless = () => new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(64 * 1024)) });

describe('a release feed over HTTPS', () => {
  test('gives the text as it stands there', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.text('{"version":"1.0.0"}')));
    assert.deepEqual(await readFeed(), {
      text: '{"version":"1.0.0"}',
      address: feedUrl,
    });
  });

  const faults: [string, () => Response, RegExp][] = [
    ['refuses', () => new HttpResponse('gone', { status: 410 }), /status 410/],
    ['cannot be reached', () => HttpResponse.error(), /cannot be read/],
    ['redirects endlessly', redirect(feedUrl), /redirects more than 5 times/],
    ['is far too large', () => HttpResponse.text('x'.repeat(1024 * 1024 + 1)), /more than 1048576/],
    ['never ends', () => new HttpResponse(endless()), /more than 1048576/],
  ];
  for (const [title, answer, message] of faults) {
    test(`attack: a feed that ${title} ends with a reason`, async () => {
      feeds.use(http.get(feedUrl, answer));
      await assert.rejects(readFeed(), { name: 'UpdateFailed', message });
    });
  }

  test('choice/box/137: follows redirections, and says where the text was found', async () => {
    const moved = 'https://cdn.example.org/release.json';
    feeds.use(
      http.get(feedUrl, redirect(moved)),
      http.get(moved, () => HttpResponse.text('{}')),
    );
    assert.deepEqual(await readFeed(), { text: '{}', address: moved });
  });

  for (const target of ['http://cdn.example.org/r.json', 'http://127.0.0.1/r.json', 'file:///etc/passwd']) {
    test(`choice/box/137: is not led to ${target}, not even on its way elsewhere`, async () => {
      feeds.use(http.get(feedUrl, redirect(target)));
      const message = `the release feed ${feedUrl} leads to ${target}, which is not HTTPS`;
      await assert.rejects(readFeed(), { message });
    });
  }
});

describe('a release feed in a file', () => {
  const folder = temporaryFolder();

  test('gives the text of the file', async () => {
    const path = join(folder, 'feed.json');
    await writeFile(path, '{"version":"2.0.0"}');
    const address = pathToFileURL(path).href;
    assert.deepEqual(await readFeed(address), { text: '{"version":"2.0.0"}', address });
  });

  test('says that the file is missing, and takes neither a folder nor a pipe', async () => {
    const missing = pathToFileURL(join(folder, 'none.json')).href;
    await assert.rejects(readFeed(missing), { message: /no such file/ });
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [folder, pipe]) {
      await assert.rejects(readFeed(pathToFileURL(path).href), { message: /is not a file/ });
    }
  });
});

test('without a feed it names the flag that sets one', async () => {
  await assert.rejects(makeReleaseFeed(null, 'box').read(), {
    name: 'UpdateFailed',
    message: /^no release feed is configured; set BOX_RELEASE_FEED in /,
  });
  await assert.rejects(makeReleaseFeed(null, 'gateway').read(), {
    message: /GATEWAY_RELEASE_FEED in \/etc\/boxgate\/gateway\.env/,
  });
});
