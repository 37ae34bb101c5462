import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeReleaseFeed } from './release-feed.ts';
import { type ReleaseServer, type ServerFault, serveReleases } from './release-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-releases-'));
makeReleaseFeed(folder, '1.2.3');
const archive = 'boxgate-1.2.3-linux-x64.tar.gz';
const bytes = readFileSync(join(folder, archive));
let server: ReleaseServer;
before(async () => {
  server = await serveReleases(folder);
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const archiveUrl = () => new URL(archive, server.url).href;
const bodyOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** The number of bytes received within `ms`, and how the response ended. */
async function readFor(url: string, ms: number) {
  const response = await fetch(url, { signal: AbortSignal.timeout(ms) });
  let length = 0;
  try {
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > 4 * 1024 * 1024) break;
    }
  } catch (error) {
    return { length, end: (error as Error).name };
  }
  return { length, end: 'ended' };
}

test('serves the feed and its archives from one folder', async () => {
  assert.deepEqual(await bodyOf(server.url), readFileSync(join(folder, 'feed.json')));
  assert.deepEqual(await bodyOf(archiveUrl()), bytes);
  assert.deepEqual(server.requests(), ['/feed.json', `/${archive}`]);
  assert.equal((await fetch(new URL('other.tar.gz', server.url))).status, 404);
});

test('a fault applies to the feed or to the archives until the next one', async () => {
  const after = async (fault: ServerFault) => {
    server.fail('feed', fault);
    assert.deepEqual(await bodyOf(archiveUrl()), bytes);
    return fetch(server.url);
  };
  assert.equal((await after('not found')).status, 404);
  assert.match(await (await after('not JSON')).text(), /^<!doctype html>/);
  const moved = await after('redirect elsewhere');
  assert.equal(new URL(moved.url).hostname, '0.0.0.0');
  assert.deepEqual(Buffer.from(await moved.arrayBuffer()), readFileSync(join(folder, 'feed.json')));
  await assert.rejects(after('gone'), /fetch failed/);
  assert.equal((await after('none')).status, 200);
});

test('a slow feed continues for ever in small pieces, an endless one in large pieces', async () => {
  server.fail('feed', 'slow');
  const slow = await readFor(server.url, 2000);
  assert.equal(slow.end, 'TimeoutError');
  assert.ok(slow.length > 0 && slow.length < 100);
  server.fail('feed', 'endless');
  assert.ok((await readFor(server.url, 20_000)).length > 4 * 1024 * 1024);
  server.fail('feed', 'none');
});

test('sends half an archive, then closes the connection or stalls until resumed', async () => {
  const half = Math.floor(bytes.length / 2);
  server.fail('archive', 'breaks off');
  assert.deepEqual(await readFor(archiveUrl(), 20_000), { length: half, end: 'TypeError' });
  server.fail('archive', 'stalls');
  assert.deepEqual(await readFor(archiveUrl(), 500), { length: half, end: 'TimeoutError' });
  server.fail('archive', 'trickles');
  const trickled = await readFor(archiveUrl(), 2000);
  assert.equal(trickled.end, 'TimeoutError');
  assert.ok(trickled.length > half && trickled.length < bytes.length);
  const whole = bodyOf(archiveUrl());
  server.resume();
  assert.deepEqual(await whole, bytes);
});
