import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freeWording, noiseIn } from './noise.ts';

const documents = 'answers 404 with `no such app` and the header `Retry-After`';
const text = (value: string) => ({ node: { type: 'StringLiteral', value } });
const template = (...raw: string[]) => ({
  node: { type: 'TemplateLiteral', quasis: raw.map((one) => ({ value: { raw: one } })) },
});

suite('what is noise', () => {
  const rows: [string, Parameters<typeof noiseIn>[0], string | undefined][] = [
    ['a sentence that no document has', text('the disk is full'), freeWording],
    ['a sentence that a document fixes', text('no such app'), undefined],
    ['the same around a value', template('cannot read ', ''), freeWording],
    ['a template of which a document fixes the words', template('no such app', ': '), undefined],
    ['a word', text('installed'), undefined],
    ['an argument', text('--no-trunc'), undefined],
    ['a statement of a database', text('SELECT id, name FROM boxes'), undefined],
    ['lines of a file', text('a line of\nanother file'), undefined],
    ['anything but a text', { node: { type: 'NumericLiteral', value: 3 } }, undefined],
  ];
  for (const [what, shown, expected] of rows)
    test(`${expected === undefined ? 'never' : 'always'} ${what}`, () =>
      assert.equal(noiseIn(shown, documents), expected));
});
