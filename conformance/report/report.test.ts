import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { outcomes } from '../run/result.ts';

import { makeReport } from './report.ts';
import { reports } from './reports.ts';
import { coverage, exchange, facts, result, ruleIds } from './testing/results.ts';

const [rule = '', other = ''] = ruleIds;
const should = 'should/box/503';

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

test('the text report tells failures that count in full, names the others, and ends with the verdict', () => {
  const results = [
    result('good', [rule], 'pass'),
    result('bad', [rule], 'fail'),
    { ...result('loses', [should], 'fail'), level: 'should' as const },
  ];
  const text = reports.text?.(results, facts) ?? '';
  const sentence = facts.rules.get(rule)?.text ?? '';
  assert.ok(
    text.startsWith(
      `FAIL box/test/bad (must): obligation of bad\n  ${rule} (must): ${sentence}\n    it does not\n\n` +
        'Failed shoulds, which --strict requires and --only ID explains:\n  box/test/loses (should): ',
    ),
    text,
  );
  const end = 'Does not conform (exit status 1): 1 of 2 musts fails (box/test/bad); 0 of 1 should passes.\n';
  assert.ok(text.endsWith(end), text);
  const named = reports.text?.(results, { ...facts, named: ['box/test/loses'] }) ?? '';
  assert.ok(named.includes(`FAIL box/test/loses (should): obligation of loses\n  ${should} (should): What `), named);
});

test('the text report tells failures with one cause once, in full for the simplest', () => {
  const results = ['a', 'b', 'c', 'd'].map((id) => ({ ...result(id, [rule], 'fail'), notJson: 'errors are not JSON' }));
  const text = reports.text?.(results, facts) ?? '';
  assert.match(text, /^4 checks fail for one cause: errors are not JSON\nFAIL box\/test\/a /);
  assert.equal(text.match(/^FAIL /gm)?.length, 4);
  assert.equal(text.match(/it does not/g)?.length, 1);
});

test('the JUnit report has the sentence of a failure, and does not count what is not required', () => {
  const optional = { ...result('loses', [should], 'fail'), level: 'should' as const };
  const junit = reports.junit?.([result('bad', [rule], 'fail'), optional], facts) ?? '';
  assert.match(junit, /tests="2" failures="1"/);
  assert.ok(junit.includes(`<failure message="it does not">${rule} (must): `), junit);
  assert.match(junit, /<skipped message="not required in this run \(should\): it does not"\/>/);
});

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
