import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingLines, off, ok, problem, unknown } from '../../rules/findings/finding.ts';
import { judgeClock, judgeMode, judgeName, judgeVersion } from './judge.ts';

test('a version is that of the tests or newer', () => {
  const verdicts = ['26.1.5', '20.10.24+dfsg1', 'v2.26.1', '2.25.9', '19.3', 'none'].map(
    (text) => judgeVersion('Compose', text, text.startsWith('v') || text.startsWith('2.') ? [2, 26] : [20, 10]).verdict,
  );
  assert.deepEqual(verdicts, ['ok', 'ok', 'ok', 'problem', 'problem', 'unknown']);
});

test('a clock is wrong by more than a minute, or if nothing keeps it right', () => {
  const cases: [number | null, boolean | null, string][] = [
    [59_000, true, 'ok'],
    [-59_000, null, 'ok'],
    [null, true, 'ok'],
    [61_000, true, 'problem'],
    [-61_000, null, 'problem'],
    [0, false, 'problem'],
    [null, null, 'unknown'],
  ];
  for (const [offset, isSynchronized, verdict] of cases)
    assert.equal(judgeClock(offset, isSynchronized).verdict, verdict, `${offset} ${isSynchronized}`);
  assert.match(judgeClock(90_000, true).text, /90 s ahead of/);
  assert.match(judgeClock(-90_000, true).text, /90 s behind/);
});

test('a secret is for its owner only', () => {
  assert.equal(judgeMode('/s/backup.key', 0o600), null);
  assert.match(judgeMode('/s/backup.key', 0o640)?.text ?? '', /mode 640.*chmod 600 \/s\/backup\.key$/);
});

test('a name leads to this machine, elsewhere or nowhere', () => {
  const verdicts = [[], ['10.0.0.2', '::1'], ['203.0.113.9']].map((found) => judgeName('a.b', found, ['::1']).verdict);
  assert.deepEqual(verdicts, ['problem', 'ok', 'unknown']);
});

test('prints a line for each finding and counts them', () => {
  assert.deepEqual(findingLines([ok('a', 'is right')]), ['ok       a: is right', 'looked at 1 thing: no problem']);
  assert.deepEqual(findingLines([problem('a', 'x'), problem('b', 'y'), unknown('c', 'z'), off('d', 'o')]), [
    'problem  a: x',
    'problem  b: y',
    'unknown  c: z',
    'off      d: o',
    'looked at 4 things: 2 problems, 1 unknown',
  ]);
  assert.equal(findingLines([problem('a', 'x')]).at(-1), 'looked at 1 thing: 1 problem');
});
