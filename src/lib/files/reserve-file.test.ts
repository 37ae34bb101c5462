import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { reserveFile } from './reserve-file.ts';

function inFolder(): { folder: string; file: string } {
  const folder = temporaryFolder();
  return { folder, file: join(folder, 'kept') };
}

test('reserves the space at once, and leaves the old file until the new text is there', async () => {
  const { folder, file } = inFolder();
  writeFileSync(file, 'old');
  const reserved = await reserveFile(file, 4096, 0o600);
  assert.equal(statSync(`${file}.reserved`).size, 4096);
  assert.equal(readFileSync(file, 'utf8'), 'old');
  await reserved.fill('ünew');
  assert.equal(readFileSync(file, 'utf8'), 'ünew');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['kept']);
});

test('frees the space', async () => {
  const { folder, file } = inFolder();
  const reserved = await reserveFile(file, 4096, 0o600);
  await reserved.abandon();
  assert.deepEqual(readdirSync(folder), []);
});

test('overwrites the leftovers of a killed process', async () => {
  const { folder, file } = inFolder();
  writeFileSync(`${file}.reserved`, 'x'.repeat(9000), { mode: 0o644 });
  const reserved = await reserveFile(file, 100, 0o600);
  await reserved.fill('text');
  assert.equal(readFileSync(file, 'utf8'), 'text');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['kept']);
});

test('a fill that fails can be abandoned and leaves nothing', async () => {
  const { folder, file } = inFolder();
  const reserved = await reserveFile(file, 100, 0o600);
  mkdirSync(file);
  await assert.rejects(reserved.fill('text'), { code: 'EISDIR' });
  await reserved.abandon();
  assert.deepEqual(readdirSync(folder), ['kept']);
});
