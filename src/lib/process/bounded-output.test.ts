import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedOutput } from './bounded-output.ts';

/** The text, with `cut:` before it if it is not the whole output. */
function collect(limit: number, ...chunks: string[]): string {
  const output = boundedOutput(limit);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return `${output.isCut() ? 'cut:' : ''}${output.text()}`;
}

test('keeps an output up to the limit whole', () => {
  assert.equal(collect(8), '');
  assert.equal(collect(8, 'abcd'), 'abcd');
  assert.equal(collect(8, 'abcdefgh'), 'abcdefgh');
  assert.equal(collect(8, 'ab', 'cdefg', 'h'), 'abcdefgh');
});

test('keeps the first and the last half of a longer one and says how much is missing', () => {
  assert.equal(collect(8, 'abcdefghi'), 'cut:abcd\n… 1 bytes left out …\nfghi');
  assert.equal(collect(8, 'abcd', 'xxxxxxxxxxxx', 'yyyyyy', 'fg', 'hi'), 'cut:abcd\n… 18 bytes left out …\nfghi');
});

test('joins characters that were split between chunks', () => {
  const output = boundedOutput(100);
  for (const byte of Buffer.from('größe')) output.add(Buffer.of(byte));
  assert.equal(output.text(), 'größe');
});
