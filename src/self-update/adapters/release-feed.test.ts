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
    assert.equal(await makeReleaseFeed(feedUrl).read(), '{"version":"1.0.0"}');
  });

  test('tells the status of a feed that refuses', async () => {
    feeds.use(http.get(feedUrl, () => new HttpResponse('gone', { status: 410 })));
    await assert.rejects(makeReleaseFeed(feedUrl).read(), { name: 'FeedFailed', message: /status 410/ });
  });

  test('tells that the feed cannot be reached', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.error()));
    await assert.rejects(makeReleaseFeed(feedUrl).read(), { name: 'FeedFailed', message: /cannot be read/ });
  });

  test('stops reading a feed that is far too large', async () => {
    feeds.use(http.get(feedUrl, () => HttpResponse.text('x'.repeat(1024 * 1024 + 1))));
    await assert.rejects(makeReleaseFeed(feedUrl).read(), {
      name: 'FeedFailed',
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
    assert.equal(await makeReleaseFeed(pathToFileURL(path).href).read(), '{"version":"2.0.0"}');
  });

  test('tells that the file is missing', async () => {
    const address = pathToFileURL(join(folder, 'none.json')).href;
    await assert.rejects(makeReleaseFeed(address).read(), { name: 'FeedFailed', message: /no such file/ });
  });

  test('does not read what is no file', async () => {
    await assert.rejects(makeReleaseFeed(pathToFileURL(folder).href).read(), { message: /is no file/ });
  });

  test('does not wait at a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(makeReleaseFeed(pathToFileURL(pipe).href).read(), { message: /is no file/ });
  });
});

test('without a feed it names the flag that sets one', async () => {
  await assert.rejects(makeReleaseFeed(null).read(), {
    name: 'FeedFailed',
    message: /^no release feed is configured; set BOX_RELEASE_FEED in /,
  });
});
