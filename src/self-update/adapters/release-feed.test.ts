import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { makeReleaseFeed } from './release-feed.ts';

const feedUrl = 'https://releases.example.org/boxgate.json';
const feeds = setupServer();
before(() => feeds.listen({ onUnhandledFrame: 'error' }));
afterEach(() => feeds.resetHandlers());
after(() => feeds.close());

describe('a release feed over HTTPS', () => {
  test('gives the text as it stands there', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.text('{"version":"1.0.0"}')));
    assert.deepEqual(await makeReleaseFeed(feedUrl, 'box').read(), {
      text: '{"version":"1.0.0"}',
      address: feedUrl,
    });
  });

  test('tells the status of a feed that refuses', async () => {
    feeds.use(http.get(feedUrl, () => new HttpResponse('gone', { status: 410 })));
    await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), {
      name: 'UpdateFailed',
      message: /status 410/,
    });
  });

  test('tells that the feed cannot be reached', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.error()));
    await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), {
      name: 'UpdateFailed',
      message: /cannot be read/,
    });
  });

  test('choice/box/178: follows redirections, and says where the text was found', async () => {
    const moved = 'https://cdn.example.org/release.json';
    feeds.use(
      http.get(feedUrl, () => HttpResponse.text('', { status: 302, headers: { Location: moved } })),
      http.get(moved, () => HttpResponse.text('{}')),
    );
    assert.deepEqual(await makeReleaseFeed(feedUrl, 'box').read(), { text: '{}', address: moved });
  });

  for (const target of ['http://cdn.example.org/r.json', 'http://127.0.0.1/r.json', 'file:///etc/passwd']) {
    test(`choice/box/360: is not led to ${target}, not even on its way elsewhere`, async () => {
      feeds.use(
        http.get(feedUrl, () => HttpResponse.text('', { status: 302, headers: { Location: target } })),
      );
      const message = `the release feed ${feedUrl} leads to ${target}, which is not HTTPS`;
      await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), { code: 'feedElsewhere', message });
    });
  }

  test('attack: endless redirections end with a reason', async () => {
    feeds.use(
      http.get(feedUrl, () => HttpResponse.text('', { status: 302, headers: { Location: feedUrl } })),
    );
    await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), { message: /redirects more than 5 times/ });
  });

  test('attack: an endless feed ends at 1 MiB', async () => {
    const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(64 * 1024)) });
    feeds.use(http.get(feedUrl, () => new HttpResponse(endless)));
    await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), { code: 'feedTooLarge' });
  });

  test('stops reading a feed that is far too large', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.text('x'.repeat(1024 * 1024 + 1))));
    await assert.rejects(makeReleaseFeed(feedUrl, 'box').read(), {
      name: 'UpdateFailed',
      message: /more than 1048576/,
    });
  });
});

describe('a release feed in a file', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxgate-feed-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('gives the text of the file', async () => {
    const path = join(folder, 'feed.json');
    await writeFile(path, '{"version":"2.0.0"}');
    const address = pathToFileURL(path).href;
    assert.deepEqual(await makeReleaseFeed(address, 'box').read(), { text: '{"version":"2.0.0"}', address });
  });

  test('tells that the file is missing', async () => {
    const address = pathToFileURL(join(folder, 'none.json')).href;
    await assert.rejects(makeReleaseFeed(address, 'box').read(), {
      name: 'UpdateFailed',
      message: /no such file/,
    });
  });

  test('does not read what is no file', async () => {
    await assert.rejects(makeReleaseFeed(pathToFileURL(folder).href, 'box').read(), {
      message: /is not a file/,
    });
  });

  test('does not wait at a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(makeReleaseFeed(pathToFileURL(pipe).href, 'box').read(), {
      message: /is not a file/,
    });
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
