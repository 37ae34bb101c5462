import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxApi } from './checks/box/api.ts';
import { selectChecks } from './selection.ts';

test('shards are disjoint and complete, and a prefix of an id selects the checks below it', () => {
  const all = boxApi.checks.map((one) => one.id);
  const parts = ['1/3', '2/3', '3/3'].flatMap((shard) => selectChecks(boxApi.checks, { shard }).map((one) => one.id));
  assert.deepEqual(parts.sort(), [...all].sort());
  const below = selectChecks(boxApi.checks, { only: ['box/listApps'] });
  assert.ok(below.length > 1 && below.every((one) => one.id.startsWith('box/listApps/')));
});
