import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverage } from './testing/results.ts';
import { describeCoverage } from './text-coverage.ts';

test('shows the coverage of each operation, and the gaps without a reason', () => {
  assert.deepEqual(describeCoverage(coverage).split('\n'), [
    'coverage: 1 of 3 points of the API covered, 1 gaps with a reason',
    '            200  500  constraints',
    '  listApps    3    -          0/1',
    '  not covered: listApps body type',
    '',
  ]);
});
