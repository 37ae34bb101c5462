import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchContents, batchSizes, filesOfTree } from './git-output.ts';

test('only regular files of a tree are files', () => {
  const modes = ['100644 blob a1\ta b', '100755 blob a2\tc', '120000 blob a3\tlink', '160000 commit a4\tmodule', ''];
  assert.deepEqual(
    [...filesOfTree(modes.join('\0'))],
    [
      ['a b', 'a1'],
      ['c', 'a2'],
    ],
  );
});

test('sizes and contents of objects are read', () => {
  assert.deepEqual([...batchSizes('a1 blob 3\na2 missing\na3 tree 5\n')], [['a1', 3]]);
  const contents = batchContents(Buffer.from('a1 blob 3\n\n\0x\na2 missing\na3 blob 0\n\na4 blob'));
  assert.deepEqual(
    [...contents].map(([id, bytes]) => [id, Buffer.from(bytes).toString()]),
    [
      ['a1', '\n\0x'],
      ['a3', ''],
    ],
  );
});
