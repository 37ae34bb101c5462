import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { readKey } from './ask.ts';

test('the key is the first line of a file, such as the saved answer of `box backup key`', async () => {
  const file = join(temporaryFolder(), 'key');
  for (const [text, key] of [
    ['abc', 'abc'],
    ['abc\n\nThis is the key', 'abc'],
    ['\uFEFFabc \r\n', 'abc'],
    ['two words\n', 'two words'],
  ] as const) {
    writeFileSync(file, text);
    assert.equal(await readKey(file), key);
  }
});

test('a file without a key is named', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'empty'), '\nabc');
  mkdirSync(join(folder, 'folder'));
  for (const [name, problem] of [
    ['empty', /^there is no key in /],
    ['missing', /^there is no file /],
    ['folder', /^cannot read .*: /],
  ] as const) {
    await assert.rejects(readKey(join(folder, name)), { message: problem });
  }
});
