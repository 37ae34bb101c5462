import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { outcomes } from '../run/result.ts';

import { makeReport } from './report.ts';
import { reports } from './reports.ts';
import { coverage, exchange, facts, result, ruleIds } from './testing/results.ts';

const [rule = '', other = ''] = ruleIds;

const schema = JSON.parse(readFileSync(new URL('../../spec/report.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('the JSON report matches its published schema, with every outcome, with and without coverage', () => {
  const results = outcomes.map((outcome) => ({
    ...result(outcome, [rule], outcome),
    exchanges: outcome === 'pass' ? [] : [exchange],
  }));
  for (const one of [null, coverage]) {
    const text = reports.json?.(results, { ...facts, coverage: one }) ?? '';
    validate(JSON.parse(text));
    assert.deepEqual(validate.errors, null);
  }
});

test('the schema allows exactly the known outcomes', () => {
  assert.deepEqual(schema.definitions.outcome.enum, [...outcomes]);
  const report = makeReport([{ ...result('a', [rule], 'pass') }], facts);
  assert.equal(validate({ ...report, further: 1 }), false);
});

for (const [what, expected, ...found] of [
  ['holds when every check of it does', 'pass', 'pass', 'pass'],
  ['fails when one of its checks fails', 'fail', 'pass', 'fail', 'skipped'],
  ['fails expectedly when the failures are deviations', 'expected-fail', 'pass', 'expected-fail'],
  ['holds when the checks that apply do', 'pass', 'not-applicable', 'pass'],
  ['is skipped when its checks are', 'skipped', 'skipped'],
] as const) {
  test(`a requirement ${what}`, () => {
    const results = found.map((outcome, index) => result(String(index), [rule], outcome));
    const [row] = makeReport(results, facts).requirements;
    assert.deepEqual([row?.id, row?.outcome], [rule, expected]);
    assert.deepEqual(
      row?.checks,
      results.map((one) => one.check.id),
    );
  });
}

test('a requirement without a check in the run is not run', () => {
  const { requirements } = makeReport([result('a', [rule], 'pass')], facts);
  assert.equal(requirements.find((one) => one.id === other)?.outcome, 'not-run');
});

test('a run without checks does not hold', () => {
  assert.equal(makeReport([], facts).holds, false);
});

for (const [what, required, expected] of [
  [
    'a must',
    ['must'],
    /^Does not conform \(exit status 1\): 1 of 2 musts fails \(box\/test\/bad\); 0 of 1 should passes\.$/,
  ],
  ['nothing required', [], /^Conforms: 1 of 2 musts pass; /],
] as const) {
  test(`the last line of the text report is a verdict if ${what} fails`, () => {
    const [must, should] = ['must', 'should'] as const;
    const results = [
      { ...result('good', [rule], 'pass'), level: must },
      { ...result('bad', [rule], 'fail'), level: must },
      { ...result('loses', [rule], 'fail'), level: should },
    ];
    const text = reports.text?.(results, { ...facts, required }) ?? '';
    assert.match(text.trimEnd().split('\n').at(-1) ?? '', expected);
    assert.match(text, /Failed shoulds, which --strict requires and --only ID explains:\n {2}box\/test\/loses: /);
    assert.doesNotMatch(text, /FAIL box\/test\/loses/);
    const named = reports.text?.(results, { ...facts, required, named: ['box/test/loses'] }) ?? '';
    assert.match(named, /FAIL box\/test\/loses/);
    const junit = reports.junit?.(results, { ...facts, required }) ?? '';
    assert.match(junit, new RegExp(`failures="${required.length}"`));
    assert.match(junit, /<skipped message="not required in this run \(should\): it does not"\/>/);
  });
}

test('the text report names the musts and shoulds that do not apply, with the reason', () => {
  const results = [
    { ...result('good', [rule], 'pass'), level: 'must' as const },
    { ...result('database', [rule], 'not-applicable'), level: 'must' as const },
  ];
  const text = reports.text?.(results, facts) ?? '';
  assert.match(text, /Not applicable, .*:\n {2}box\/test\/database \(must\): it does not\n\n/);
  assert.match(text, /: 1 must passes, 1 does not apply\./);
});

test('every report for people and tools has the evidence of a failure', () => {
  const evidence = [{ about: 'standard error of the implementation', lines: ['| out of luck'] }];
  for (const format of Object.keys(reports)) {
    const text = reports[format]?.([{ ...result('bad', [rule], 'fail'), evidence }], facts) ?? '';
    assert.match(text, /standard error of the implementation[\s\S]*\| out of luck/, format);
  }
});
