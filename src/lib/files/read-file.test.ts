import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { oddFiles, putOdd } from '../testing/odd-files.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readRegularFile, readTextIfThere } from './read-file.ts';

test('reads at most so many bytes of a regular file, and never waits', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  const found: Record<string, [string, string]> = {};
  const shown = (bytes: Buffer | string) => (typeof bytes === 'string' ? bytes : `${bytes.length} bytes`);
  for (const kind of Object.keys(oddFiles)) {
    await putOdd(kind, file);
    found[kind] = [shown(readRegularFile(file, 10, 'followed')), shown(readRegularFile(file, 10, 'refused'))];
    if (found[kind][0] === 'no file') assert.throws(() => readTextIfThere(file, 10), /is not a regular file/);
  }
  assert.deepEqual(found, {
    'a named pipe': ['no file', 'no file'],
    'a socket': ['no file', 'no file'],
    'a link to a device': ['no file', 'no file'],
    'a directory': ['no file', 'no file'],
    'a dangling link': ['nothing', 'no file'],
    'a link to itself': ['no file', 'no file'],
    'a huge file': ['10 bytes', '10 bytes'],
    'unreadable bytes': ['8 bytes', '8 bytes'],
  });
  writeFileSync(join(folder, 'text'), 'text');
  symlinkSync('text', join(folder, 'link'));
  assert.equal(readTextIfThere(join(folder, 'link'), 10), 'text');
  assert.equal(readTextIfThere(join(folder, 'none'), 10), null);
});
