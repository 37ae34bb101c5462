import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, readHanded } from './words.ts';

const bytes = (...texts: string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''));
const whole = ['secret', '/folder', '7', '/cwd', '3', 'ps', '', 'a\nb', '2', 'A=x=\ny', 'constructor='];

test('reads a command as it was given', () => {
  assert.deepEqual(readHanded(bytes(...whole)), {
    secret: 'secret',
    folder: '/folder',
    given: { pid: 7, argv: ['ps', '', 'a\nb'], cwd: '/cwd', env: { A: 'x=\ny', constructor: '' } },
  });
});

test('waits for all of it, wherever it was cut', () => {
  const all = bytes(...whole);
  for (let length = 0; length < all.length; length += 1)
    assert.equal(readHanded(all.subarray(0, length)), null, `after ${length} bytes`);
});

test('takes the first of two variables of one name, and none without a name', () => {
  const handed = readHanded(bytes('s', '/f', '7', '/', '0', '3', 'A=1', 'A=2', '=x'));
  assert.deepEqual(handed?.given.env, { A: '1' });
});

test('counts the bytes of what is said, not its letters', () => {
  assert.equal(frame(1, 'ü\n').toString(), '1 3\nü\n');
});
