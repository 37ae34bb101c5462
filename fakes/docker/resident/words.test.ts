import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, readCommand } from './words.ts';

const bytes = (...texts: string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''));
const whole = ['secret', '/folder', '7', '/cwd', '3', 'ps', '', 'a\nb', '2', 'A=x=\ny', 'constructor='];

test('parses a command', () => {
  assert.deepEqual(readCommand(bytes(...whole)), {
    secret: 'secret',
    folder: '/folder',
    given: { pid: 7, argv: ['ps', '', 'a\nb'], cwd: '/cwd', env: { A: 'x=\ny', constructor: '' } },
  });
});

test('returns null for an incomplete message', () => {
  const all = bytes(...whole);
  for (let length = 0; length < all.length; length += 1)
    assert.equal(readCommand(all.subarray(0, length)), null, `after ${length} bytes`);
});

test('takes the first of two variables with the same name, and skips nameless ones', () => {
  const command = readCommand(bytes('s', '/f', '7', '/', '0', '3', 'A=1', 'A=2', '=x'));
  assert.deepEqual(command?.given.env, { A: '1' });
});

test('counts bytes, not characters', () => {
  assert.equal(frame(1, 'ü\n').toString(), '1 3\nü\n');
});
