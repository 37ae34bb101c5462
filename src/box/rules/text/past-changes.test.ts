import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonLines } from './json-lines.ts';
import { cutOffLine, latestChanges, parseChanges } from './past-changes.ts';

const change = { app: 'notes', at: '', operation: 'update', by: '', outcome: 'ok' as const, detail: '', durationMs: 1 };

test('reads objects, one a line, and leaves out other lines', () => {
  assert.deepEqual(parseJsonLines('\n{"a":1}\n[]\n{"a":\n{"b":2}'), [{ a: 1 }, { b: 2 }]);
});

test('reads past changes, and leaves out lines in another form', () => {
  const lines = [change, { ...change, app: 1 }, { ...change, durationMs: '1' }, {}];
  assert.deepEqual(parseChanges(lines.map((line) => JSON.stringify(line)).join('\n')), [change]);
});

test('keeps the last ten changes of each app in their order', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ ...change, detail: `${at}` }));
  const other = { ...change, app: 'other' };
  assert.deepEqual(latestChanges([other, ...many]), [other, ...many.slice(2)]);
});

test('says which change was cut off, and whether it was finished or undone', () => {
  const line = (operation: string, isDone: boolean) => {
    const told = cutOffLine({ app: 'notes', operation }, isDone);
    return [told.operation, told.outcome, told.detail];
  };
  assert.deepEqual(line('restore', true), ['restore', 'ok', 'was cut off, and is finished']);
  assert.deepEqual(line('update', false), ['update', 'failed', 'was cut off; the app is as it was before']);
});
