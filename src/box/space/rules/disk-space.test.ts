import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDisk, lowDisksText } from './disk-space.ts';

const disk = (use: string, free: number, size: number) => ({ uses: [use], free, size });

const cases: [what: string, free: number, size: number, text: string | null][] = [
  ['half full', 50e9, 100e9, null],
  ['at the limit', 10e9, 100e9, null],
  ['below it', 9.9e9, 100e9, 'The disk of Docker (/d) has only 9.9 GB of 100 GB free (9 %).'],
  ['full', 0, 100e9, 'The disk of Docker (/d) has only 0.0 kB of 100 GB free (0 %).'],
  ['without a size', 0, 0, null],
];
for (const [what, free, size, text] of cases) {
  test(`a disk ${what}`, () => assert.equal(lowDisksText([disk('Docker (/d)', free, size)]), text));
}

test('names each disk that is low, with everything on it', () => {
  const both = { uses: ['the apps (/a)', 'Docker (/d)'], free: 1e6, size: 1e9 };
  assert.equal(
    lowDisksText([both, disk('x', 9, 10), disk('the backups (/b)', 1e6, 2e9)]),
    'The disk of the apps (/a), Docker (/d) has only 1.0 MB of 1.0 GB free (0 %); the disk of the backups (/b) has only 1.0 MB of 2.0 GB free (0 %).',
  );
});

test('a disk needs a tenth of its space', () => {
  const disk = { uses: ['apps', 'Docker'], size: 100e9, free: 10e9 };
  assert.equal(judgeDisk(disk).verdict, 'ok');
  assert.match(judgeDisk(disk).text, /^10\S* GB of 100\S* GB are free for apps, Docker$/);
  assert.equal(judgeDisk({ ...disk, free: 9.9e9 }).verdict, 'problem');
});
