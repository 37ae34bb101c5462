import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { presentKey } from './key-chain.ts';

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
