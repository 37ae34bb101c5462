import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { errorName, freeWording, noiseIn, type Piece, sameWithout } from './noise.ts';

const documents = 'answers 404 with `no such app` and the header `Retry-After`';
const text = (value: string): Piece => ({ type: 'StringLiteral', value });
const template = (...raw: string[]): Piece => ({
  type: 'TemplateLiteral',
  quasis: raw.map((one) => ({ type: 'TemplateElement', value: { raw: one } })),
});
const object = (...values: Piece[]): Piece => ({
  type: 'ObjectExpression',
  properties: values.map((value) => ({ type: 'ObjectProperty', value })),
});
const block = (...body: Piece[]): Piece => ({ type: 'BlockStatement', body });
const returns = (argument: Piece | null): Piece => ({ type: 'ReturnStatement', argument });
const name = (word: string): Piece => ({ type: 'Identifier', name: word });
const field = (key: string, value: Piece): Piece => ({ type: 'ClassProperty', key: name(key), value });

suite('what is noise', () => {
  const rows: [string, Piece, string | undefined][] = [
    ['a sentence that no document has', text('the disk is full'), freeWording],
    ['a sentence that a document fixes', text('no such app'), undefined],
    ['the same around a value', template('cannot read ', ''), freeWording],
    ['a template of which a document fixes the words', template('no such app', ': '), undefined],
    ['a word', text('installed'), undefined],
    ['an argument', text('--no-trunc'), undefined],
    ['a statement of a database', text('SELECT id, name FROM boxes'), undefined],
    ['lines of a file', text('a line of\nanother file'), undefined],
    ['what holds only such sentences', object(text('the disk is full')), freeWording],
    ['what holds anything else', object(text('the disk is full'), text('busy')), undefined],
    ['what holds nothing', object(), undefined],
    ['the name of an error', field('name', text('DiskFull')), errorName],
    ['another field', field('status', text('DiskFull')), undefined],
    ['a block that returns nothing', block(returns(null)), sameWithout],
    ['a block that returns undefined', block(returns(name('undefined'))), sameWithout],
    ['a block that returns something', block(returns(name('found'))), undefined],
    ['a block that does more', block(returns(null), returns(null)), undefined],
    ['a block without anything', block(), undefined],
    ['anything else', { type: 'NumericLiteral', value: 3 }, undefined],
  ];
  for (const [what, piece, expected] of rows)
    test(`${expected === undefined ? 'never' : 'always'} ${what}`, () =>
      assert.equal(noiseIn(piece, documents), expected));
});
