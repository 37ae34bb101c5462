import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract, type Headers } from 'tar-stream';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { unpackArchive } from '../../self-update/adapters/unpack.ts';
import { makeArchive } from './archive.ts';

const files = [
  { path: 'b/c.txt', bytes: Buffer.from('three'), executable: false },
  { path: 'bin/run', bytes: Buffer.from('run'), executable: true },
  { path: 'a.txt', bytes: Buffer.from(''), executable: false },
];

async function entriesOf(bytes: Buffer): Promise<Headers[]> {
  const headers: Headers[] = [];
  const unpacked = extract();
  unpacked.end(gunzipSync(bytes));
  for await (const entry of unpacked) {
    headers.push(entry.header);
    entry.resume();
  }
  return headers;
}

test('has folders before their files, sorted, owned by root, with one time', async () => {
  const { bytes, sha256, unpackedSize } = await makeArchive('top', files, 1_700_000_000);
  const entries = await entriesOf(bytes);
  assert.deepEqual(
    entries.map(({ name, type, mode }) => [name, type, mode]),
    [
      ['top/', 'directory', 0o755],
      ['top/a.txt', 'file', 0o644],
      ['top/b/', 'directory', 0o755],
      ['top/b/c.txt', 'file', 0o644],
      ['top/bin/', 'directory', 0o755],
      ['top/bin/run', 'file', 0o755],
    ],
  );
  for (const { uid, gid, mtime } of entries) {
    assert.deepEqual([uid, gid, mtime?.getTime()], [0, 0, 1_700_000_000_000]);
  }
  assert.equal(unpackedSize, 8);
  assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
});

test('has the same bytes for any order of the files', async () => {
  const one = await makeArchive('top', files, 1_700_000_000);
  const other = await makeArchive('top', [...files].reverse(), 1_700_000_000);
  assert.deepEqual(one.bytes, other.bytes);
});

test('a published archive is unpacked within the size that is signed', async () => {
  const folder = temporaryFolder();
  // A path of more than 100 bytes needs an extended tar header.
  const long = `src/${'folder/'.repeat(20)}page.css`;
  const files = [
    { path: 'bin/node', bytes: Buffer.from('node'), executable: true },
    { path: long, bytes: Buffer.from('text'), executable: false },
  ];
  const { bytes, unpackedSize } = await makeArchive('boxgate-0.2.0-linux-x64', files, 1_700_000_000);
  writeFileSync(join(folder, 'archive'), bytes);
  const target = join(folder, 'target');
  await unpackArchive(join(folder, 'archive'), target, unpackedSize);
  assert.deepEqual(readdirSync(target), ['bin', 'src']);
  assert.equal(statSync(join(target, 'bin/node')).mode & 0o777, 0o755);
  assert.equal(readFileSync(join(target, long), 'utf8'), 'text');
});
