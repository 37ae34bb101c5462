import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTextIfThere } from './read-file.ts';

test('reads the text of a small file, and names what is no file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-read-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a');
  assert.equal(readTextIfThere(file, 3), null);
  writeFileSync(file, 'ä1');
  assert.equal(readTextIfThere(file, 3), 'ä1');
  assert.throws(() => readTextIfThere(folder, 3), { message: `${folder} is not a regular file` });
});
