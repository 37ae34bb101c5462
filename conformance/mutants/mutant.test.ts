import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { keyOf, textAt } from './mutant.ts';

const source = 'const a = 1;\nif (a === 1 &&\n  a < 2) {\n  stop();\n}\n';

suite('a mutant', () => {
  test('is named by its file, its line of source, and what it changes', () => {
    const place = { start: { line: 1, column: 4 }, end: { line: 1, column: 11 } };
    assert.deepEqual(textAt(source, place), { at: 'if (a === 1 &&', from: 'a === 1' });
    assert.equal(
      keyOf({ file: 'src/a.ts', to: 'true', ...textAt(source, place) }),
      'src/a.ts | if (a === 1 && | a === 1 → true',
    );
  });

  test('has a name of one line, whatever it changes', () => {
    const place = { start: { line: 1, column: 4 }, end: { line: 2, column: 7 } };
    const key = keyOf({ file: 'src/a.ts', to: '{\n  }', ...textAt(source, place) });
    assert.equal(key, 'src/a.ts | if (a === 1 && | a === 1 && a < 2 → { }');
  });

  test('has a name of its own where another one reads the same', () => {
    const parts = { file: 'src/a.ts', at: 'f(x, x)', from: 'x', to: 'y' };
    const before = new Set<string>();
    const keys = [1, 2, 3].map(() => {
      const key = keyOf(parts, before);
      before.add(key);
      return key;
    });
    assert.deepEqual(
      keys.map((key) => key.slice(-5)),
      ['x → y', 'y (2)', 'y (3)'],
    );
  });

  test('keeps beginning and end of a long text', () => {
    const from = `begin${'x'.repeat(200)}end`;
    const key = keyOf({ file: 'f', at: 'a', from, to: '' });
    assert.match(key, /\| beginx+ … x+end → $/);
    assert.ok(key.length < 110, key);
  });
});
