import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxApi } from './checks/box/api.ts';
import { check } from './kernel/check.ts';
import { readRules } from './kernel/rules.ts';
import { listChecks, selectChecks } from './selection.ts';

test('shards are disjoint and complete', () => {
  const all = boxApi.checks.map((one) => one.id);
  const parts = ['1/3', '2/3', '3/3'].flatMap((shard) => selectChecks(boxApi.checks, { shard }).map((one) => one.id));
  assert.deepEqual(parts.sort(), [...all].sort());
});

const named = (...ids: string[]) => ids.map((id) => check(id, ['box/listApps/1'], 'holds', async () => {}));
const some = named('box/lists/one-more', 'box/lists/one', 'box/lists/two', 'box/lists-of-old/one', 'box/removeApp/ok');
for (const [only, ...ids] of [
  ['box/lists', 'box/lists/one-more', 'box/lists/one', 'box/lists/two'],
  ['box/lists/', 'box/lists/one-more', 'box/lists/one', 'box/lists/two'],
  ['box/lists/one', 'box/lists/one-more', 'box/lists/one'],
  ['box/lists/t', 'box/lists/two'],
  ['box/removeApp/ok', 'box/removeApp/ok'],
] as const) {
  test(`--only ${only} selects ${ids.join(' and ')}`, () => {
    assert.deepEqual(
      selectChecks(some, { only: [only] }).map(({ id }) => id),
      ids,
    );
  });
}

test('a selection without checks names the nearest ids', () => {
  assert.throws(
    () => selectChecks(some, { only: ['box/list/tow'] }),
    /has the id box\/list\/tow .*; near: box\/lists\/two, /,
  );
});

test('lists checks below the sentences that they prove, each once', () => {
  const rules = readRules('box');
  const text = listChecks(named('box/a/one', 'box/a/two'), rules);
  assert.equal(
    text,
    `box/listApps/1 (must): ${rules.get('box/listApps/1')?.text}\n    box/a/one: holds\n    box/a/two: holds\n`,
  );
});
