import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNewer, parseRelease, presentKey } from './release.ts';

const archive = { url: 'https://example.org/a.tar.gz', sha256: '00', signature: 'AA==' };
const feedWith = (fields: object) =>
  JSON.stringify({ version: '1.0.0', archives: { 'linux-x64': { ...archive, ...fields } } });
const changes = (count: number) => Array.from({ length: count }, () => ({ statement: '', signature: '' }));

describe('parseRelease', () => {
  test('gives version and archives', () => {
    const text = JSON.stringify({ version: '1.2.0', archives: { 'linux-x64': archive }, notes: 'more' });
    const release = { version: '1.2.0', archives: { 'linux-x64': archive }, keyChanges: [] };
    assert.deepEqual(parseRelease(text), release);
  });

  test('choice/box/139: gives statements and up to ten changes of the key', () => {
    const signed = { ...archive, statement: '{}', size: 7 };
    const text = JSON.stringify({ version: '1.2.0', archives: { x: signed }, key_changes: changes(10) });
    const release = { version: '1.2.0', archives: { x: signed }, keyChanges: changes(10) };
    assert.deepEqual(parseRelease(text), release);
  });

  test('takes a feed that announces a version before its archives', () => {
    assert.deepEqual(parseRelease('{"version": "1.2.0"}').archives, {});
  });

  const broken: [string, RegExp][] = [
    ['', /not a JSON object/],
    ['<html>', /not a JSON object/],
    ['[]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{}', /no semantic version/],
    ['{"version": 2}', /no semantic version/],
    ['{"version": "new"}', /no semantic version/],
    ['{"version": "1.0.0", "archives": []}', /an archive without/],
    ['{"version": "1.0.0", "archives": {"linux-x64": {"url": "x"}}}', /an archive without/],
    ['{"version": "1.0.0", "archives": {"linux-x64": null}}', /an archive without/],
    [feedWith({ statement: 7 }), /an archive without/],
    [feedWith({ size: '7' }), /an archive without/],
    ['{"version": "1.0.0", "key_changes": {}}', /a change of its key without/],
    ['{"version": "1.0.0", "key_changes": [7]}', /a change of its key without/],
    ['{"version": "1.0.0", "key_changes": [{"statement": ""}]}', /a change of its key without/],
    [JSON.stringify({ version: '1.0.0', key_changes: changes(11) }), /names 11 changes of its key; at most 10/],
  ];
  for (const [text, problem] of broken) {
    test(`says what is wrong with ${text || 'an empty feed'}`, () => {
      assert.throws(() => parseRelease(text), { message: problem });
    });
  }
});

describe('isNewer', () => {
  const cases: [string, string, boolean][] = [
    ['1.0.1', '1.0.0', true],
    ['1.0.0', '1.0.0', false],
    ['0.9.9', '1.0.0', false],
    ['1.10.0', '1.9.0', true],
    ['1.0.0-rc.1', '1.0.0', false],
    ['1.0.0', '1.0.0-rc.1', true],
  ];
  for (const [version, running, expected] of cases) {
    test(`${version} over ${running}: ${expected}`, () => assert.equal(isNewer(version, running), expected));
  }
});

/** In these tests, a signature is the key, a colon and the text. */
const isSigned = (key: string, text: string, signature: string) => signature === `${key}:${text}`;
const change = (from: string, to: unknown, fields: Record<string, unknown> = {}) => {
  const statement = JSON.stringify({ type: 'key', product: 'boxgate', key: to, ...fields });
  return { statement, signature: `${from}:${statement}` };
};

describe('choice/box/139: the present key', () => {
  const good = [change('A', 'B'), change('B', 'C')];
  const cases: [string, string, Parameters<typeof presentKey>[1], string][] = [
    ['is the trusted one without changes', 'A', [], 'A'],
    ['follows the whole chain', 'A', good, 'C'],
    ['begins in the middle on a machine that has the second key', 'B', good, 'C'],
    ['stays on a machine that has the last key', 'C', good, 'C'],
    ['skips changes that a stranger signs', 'A', [change('X', 'Y'), ...good, change('X', 'Z')], 'C'],
    ['is not reached backwards', 'A', [change('B', 'C'), change('A', 'B')], 'B'],
    ['is not named by a statement of another kind', 'A', [change('A', 'X', { type: 'release' })], 'A'],
    ['is not named by a foreign product', 'A', [change('A', 'X', { product: 'other' })], 'A'],
    ['is a text', 'A', [change('A', 7)], 'A'],
    ['is at most 4 KiB', 'A', [change('A', 'X'.repeat(4097))], 'A'],
    ['is not named by what is no JSON', 'A', [{ statement: 'X', signature: 'A:X' }], 'A'],
  ];
  for (const [title, trusted, changes, expected] of cases) {
    test(title, () => assert.equal(presentKey(trusted, changes, isSigned), expected));
  }
});
