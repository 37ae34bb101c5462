import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../kernel/check.ts';
import type { Level } from '../kernel/rules.ts';
import type { Outcome } from '../run/result.ts';
import { verdict } from './verdict.ts';

const rows = (level: Level, ...outcomes: Outcome[]) =>
  outcomes.map((outcome, index) => ({ id: `${level}/${index}`, level, outcome, reason: '' }));

const ofPage = rows('must', 'not-applicable', 'not-applicable').map((one) => ({ ...one, reason: withoutBrowser }));

const strict = ['must', 'should'] as const;
const all = ['must', 'should', 'choice'] as const;

for (const [checks, required, expected, complete = true] of [
  [rows('must', 'pass', 'pass'), ['must'], 'Conforms to 1.0: all 2 musts pass.'],
  [
    [...rows('must', 'pass'), ...rows('should', 'pass', 'fail'), ...rows('choice', 'fail', 'fail', 'pass')],
    ['must'],
    'Conforms to 1.0: 1 must passes; 1 of 2 shoulds pass; 1 of 3 choices pass.',
  ],
  [
    rows('must', 'fail', 'timeout', 'pass', 'suite-error', 'unexpected-pass'),
    ['must'],
    'Does not conform to 1.0 (exit status 1): 4 of 5 musts fail (must/0, must/1, must/3 and 1 more).',
  ],
  [
    [...rows('must', 'pass', 'pass'), ...rows('should', 'fail', 'pass')],
    strict,
    'Does not conform to 1.0 with --strict (exit status 1): all 2 musts pass; 1 of 2 shoulds fails (should/0).',
  ],
  [rows('choice', 'pass'), all, 'Conforms to 1.0 with --profile boxgate: 1 choice passes.'],
  [rows('must', 'pass', 'not-applicable', 'pass'), ['must'], 'Conforms to 1.0: all 2 musts pass, 1 does not apply.'],
  [rows('must', 'pass', 'expected-fail'), ['must'], 'Conforms to 1.0: 1 of 2 musts pass, 1 fails as listed.'],
  [
    [...rows('must', 'pass', 'pass'), ...ofPage],
    ['must'],
    'Conforms to 1.0: all 2 musts pass. The page was not checked: --browser PATH, a Chromium or Chrome, runs its 2 checks.',
  ],
  [rows('must', 'pass', 'skipped'), ['must'], 'The chosen checks pass: 1 must passes.', false],
  [rows('must', 'fail'), ['must'], 'The chosen checks fail (exit status 1): 1 of 1 must fails (must/0).', false],
  [rows('must', 'pass', 'passed-late'), ['must'], 'Conforms to 1.0: all 2 musts pass, 1 of them late.'],
  [
    [...rows('must', 'pass'), ...rows('must', 'fail', 'pass').map((one) => ({ ...one, added: true }))],
    ['must'],
    'Conforms to 1.0: 1 must passes; 2 added since 1.0 do not count.',
  ],
  [rows('must', 'not-applicable'), ['must'], 'Nothing is decided: no must applies.'],
  [rows('should', 'fail'), ['must'], 'Nothing is decided: 0 of 1 should passes.', false],
] satisfies [ReturnType<typeof rows>, readonly Level[], string, boolean?][]) {
  test(expected, () => assert.equal(verdict({ checks, required, complete, noLate: false, set: '1.0' }), expected));
}
