import assert from 'node:assert/strict';
import { createHash, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeReleaseFeed } from './release-feed.ts';

const root = mkdtempSync(join(tmpdir(), 'boxgate-feed-'));
after(() => rmSync(root, { recursive: true, force: true }));

type Entry = { url: string; sha256: string; size: number; signature: string; statement: string };
type Feed = { version: string; archives: Record<string, Entry> };

test('a publication has a signed statement on the archive of each platform', () => {
  const feed = makeReleaseFeed(root);
  feed.publish('1.2.3');
  const { version, archives } = JSON.parse(readFileSync(fileURLToPath(feed.url), 'utf8')) as Feed;
  assert.equal(version, '1.2.3');
  assert.deepEqual(Object.keys(archives), ['linux-x64', 'linux-arm64']);
  const key = readFileSync(feed.keyFile, 'utf8');
  const now = new Date().toISOString();
  for (const [platform, { url, sha256, size, signature, statement }] of Object.entries(archives)) {
    assert.ok(verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64')));
    const bytes = readFileSync(join(root, url));
    assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [size, sha256]);
    const said = JSON.parse(statement);
    assert.deepEqual([said.version, said.platform, said.sha256, said.size], [version, platform, sha256, size]);
    assert.ok(said.issued < now && now < said.expires);
  }
});
