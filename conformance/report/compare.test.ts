import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../run/result.ts';
import { describeComparison } from './compare.ts';

const run = (outcomes: Record<string, Outcome>) =>
  Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome, level: 'must' as const }));

test('names new failures, fixed checks, those that still fail, and those that are undecided', () => {
  const earlier = run({ a: 'pass', b: 'fail', c: 'timeout', d: 'fail', e: 'fail', f: 'pass' });
  const later = run({ a: 'fail', b: 'pass', c: 'fail', e: 'skipped', f: 'pass', g: 'suite-error' });
  assert.equal(
    describeComparison(earlier, later),
    `New failures: 2
  a (must)
  g (must)
Fixed: 1
  b (must)
Still failing: 1
  c (must)
Failed earlier, neither passed nor failed now: 2
  d (must)
  e (must)
`,
  );
});

test('a failure that became a deviation is not fixed, and a deviation that passes is a new failure', () => {
  const text = describeComparison(
    run({ a: 'fail', b: 'expected-fail' }),
    run({ a: 'expected-fail', b: 'unexpected-pass' }),
  );
  assert.match(text, /New failures: 1\n {2}b [\s\S]*Fixed: 0[\s\S]*now: 1\n {2}a /);
});
