import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { check } from './kernel/check.ts';
import { plainFailure } from './report/failure.ts';
import { defaultSet, printSet, type RequirementSet, readSet } from './requirement-set.ts';
import { failsRun, resultOf } from './run/result.ts';

const root = mkdtempSync(join(tmpdir(), 'boxgate-sets-test-'));
after(() => rmSync(root, { recursive: true, force: true }));
const folder = join(root, 'spec', 'sets');
mkdirSync(folder, { recursive: true });
for (const version of ['1.0', '1.9', '1.10'])
  writeFileSync(join(folder, `${version}.json`), printSet([['box/a/one', 'must']]));

test('a release counts the newest set, a checkout all checks', () => {
  assert.equal(defaultSet(root), '1.10');
  assert.equal(defaultSet(), 'all');
});

test('reads a set as it was written, and names the known ones', () => {
  assert.deepEqual(readSet('1.9', folder), { version: '1.9', levels: new Map([['box/a/one', 'must']]) });
  assert.equal(readSet('all', folder), null);
  assert.throws(
    () => readSet('2.0', folder),
    /^Error: --requirements: expected 1\.0 or 1\.9 or 1\.10 or all, found 2\.0$/,
  );
});

const set: RequirementSet = { version: '1.0', levels: new Map([['box/a/one', 'should']]) };
const gate = { required: ['must', 'should', 'choice'] as const, noLate: false };

for (const [what, id, rule, using, level, added] of [
  ['without a set has its own level', 'box/a/one', 'box/listApps/1', null, 'must', false],
  ['of a set has the level of that set', 'box/a/one', 'box/listApps/1', set, 'should', false],
  ['that a set does not have was added later', 'box/a/two', 'box/listApps/1', set, 'must', true],
  ['of a choice is of no set', 'box/a/two', 'choice/box/1', set, 'choice', false],
] as const) {
  test(`a check ${what}`, () => {
    const failed = { outcome: 'fail' as const, failure: plainFailure('no'), durationMs: 1 };
    const result = resultOf(
      check(id, [rule], 'holds', async () => {}),
      { deviations: new Map(), set: using },
      failed,
    );
    assert.deepEqual([result.level, result.added], [level, added]);
    assert.equal(failsRun(result, gate), !added);
  });
}

test('a late pass fails the run only if that is asked for', () => {
  const late = { level: 'must', outcome: 'passed-late' } as const;
  assert.equal(failsRun(late, { required: ['must'], noLate: false }), false);
  assert.equal(failsRun(late, { required: ['must'], noLate: true }), true);
});
