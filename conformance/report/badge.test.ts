import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Level } from '../kernel/rules.ts';
import type { Outcome } from '../run/result.ts';
import { badge } from './badge.ts';
import { makeReport } from './report.ts';
import { facts, result } from './testing/results.ts';

const badgeOf = (rows: readonly [Level, Outcome][]) => {
  const { checks } = makeReport(
    rows.map(([, outcome], index) => result(String(index), ['box/listApps/1'], outcome)),
    facts,
  );
  return badge({ suite: 'boxgate box', checks: checks.map((one, at) => ({ ...one, level: rows[at]?.[0] ?? 'must' })) });
};

const many = (count: number, level: Level, outcome: Outcome) =>
  Array.from({ length: count }, (): [Level, Outcome] => [level, outcome]);

const green = '#1e7a34';
const amber = '#8a5a00';
const red = '#b3261e';

for (const [text, colour, rows] of [
  ['2 musts pass', green, many(2, 'must', 'pass')],
  ['2 musts, 1 should pass', green, [...many(2, 'must', 'pass'), ...many(1, 'should', 'pass')]],
  ['1 must pass', green, [...many(1, 'must', 'pass'), ...many(3, 'choice', 'fail')]],
  ['1 must fails', red, [...many(1, 'must', 'fail'), ...many(5, 'must', 'pass')]],
  ['2 musts fail, 1 should fails', red, [...many(2, 'must', 'timeout'), ...many(1, 'should', 'fail')]],
  ['2 shoulds fail', amber, [...many(2, 'should', 'suite-error'), ...many(1, 'must', 'pass')]],
  ['nothing passes', red, many(2, 'must', 'skipped')],
] as const) {
  test(`the badge says: ${text}`, () => {
    const svg = badgeOf(rows);
    assert.match(svg, new RegExp(`<title>boxgate box: ${text}</title>`));
    assert.ok(svg.includes(`fill="${colour}"`), svg);
  });
}

test('the badge escapes the name of the suite', () => {
  const svg = badge({ suite: '<script> & "x"', checks: [] });
  assert.doesNotMatch(svg, /<script>|& |"x"/);
});
