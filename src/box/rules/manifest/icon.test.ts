import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holds } from '../../../lib/testing/holds.ts';
import { inlineIcon, isPlainFileName, maxIconBytes } from './icon.ts';

const svg = '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>';
const inline = (text: string) => inlineIcon(Buffer.from(text));

test('box/icon/5: gives the markup if all rules hold', () => {
  assert.equal(inline(svg), svg);
});

test('box/icon/2: inlines 16384 bytes and no more', () => {
  const filled = (bytes: number) => `<svg>${'ü'.repeat((bytes - 6) / 2)}x`;
  assert.equal(Buffer.byteLength(filled(maxIconBytes)), 16384);
  assert.equal(inline(filled(16384)), filled(16384));
  assert.equal(inline(`${filled(16384)}x`), null);
});

test('box/icon/2: accepts UTF-8 only', () => {
  assert.equal(inlineIcon(Uint8Array.of(...Buffer.from('<svg>'), 0xff)), null);
});

test('box/icon/3: drops an XML declaration, and white space after it', () => {
  assert.equal(inline(`<?xml version="1.0"?>\n${svg}`), svg);
  assert.equal(inline(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>${svg}\n`), svg);
  assert.equal(inline(`<?xml?>${svg}`), svg);
});

test('box/icon/1-5: for any bytes the result is null or markup that obeys the rules', () => {
  const part = fc.constantFrom(
    '<svg',
    '<?xml ',
    '?>',
    '\uFEFF',
    ' ',
    '\n',
    'on',
    'load',
    '=',
    '<script',
    'javascript:',
    'x>',
  );
  holds(
    fc.property(
      fc.oneof(
        fc.array(part).map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        const markup = inline(text);
        if (markup === null) return;
        assert.ok(markup.startsWith('<svg'));
        assert.ok(text.includes(markup));
        assert.doesNotMatch(markup, /<script|javascript:|\bon[a-z]+\s*=/i);
        assert.equal(inline(markup), markup);
      },
    ),
  );
});

test('a plain file name is not a path', () => {
  for (const name of ['icon.svg', '.hidden', 'a b.svg', '...', 'ü', 'a\\b'])
    assert.equal(isPlainFileName(name), true, name);
  for (const name of ['', '.', '..', '/', 'a/b', '../a', '/etc/passwd', 'a\0'])
    assert.equal(isPlainFileName(name), false, name);
});
