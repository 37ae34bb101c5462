import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDisk } from './judge-disk.ts';

test('a disk needs a tenth of its space', () => {
  const disk = { uses: ['apps', 'Docker'], size: 100e9, free: 10e9 };
  assert.equal(judgeDisk(disk).verdict, 'ok');
  assert.match(judgeDisk(disk).text, /^10\S* GB of 100\S* GB are free for apps, Docker$/);
  assert.equal(judgeDisk({ ...disk, free: 9.9e9 }).verdict, 'problem');
});
