import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportLine } from './store.ts';

test('a line of the table has the app, what became of it, and why', () => {
  assert.equal(
    reportLine({ folder: 'Odd\u0007', isOffered: false, reason: 'it is odd' }),
    'Odd\\u{7}\tleft out\tit is odd',
  );
  assert.equal(
    reportLine({ folder: 'A', isOffered: true, name: 'a', notes: ['One.', 'Two.'] }),
    'a\toffered\tOne.\tTwo.',
  );
});
