import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRefresh } from './refresh-plan.ts';

async function plan(
  bundle: object,
  installed: Record<string, string>,
  last: object,
  leftOut: readonly string[] = [],
) {
  const { steps, blocked } = await planRefresh(
    new Map(Object.entries(bundle)),
    leftOut,
    async (path) => installed[path] ?? 'absent',
    new Map(Object.entries(last)),
  );
  const lines = steps.map(
    ({ act, path, keepAs }) => `${act} ${path}${keepAs === null ? '' : ` (${keepAs})`}`,
  );
  return [...lines, ...blocked.map((path) => `blocked ${path}`)];
}

test('replaces what came from the bundle and was not edited', async () => {
  assert.deepEqual(await plan({ a: '2', b: '1' }, { a: '1', b: '1' }, { a: '1', b: '1' }), ['write a']);
});

test('puts back a file that is missing', async () => {
  assert.deepEqual(await plan({ a: '1' }, {}, { a: '1' }), ['write a']);
});

test('keeps an edited file beside, without hiding one that was kept before', async () => {
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine' }, { a: '1' }), ['write a (a.kept)']);
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine', 'a.kept': 'older' }, { a: '1' }), [
    'write a (a.kept.2)',
  ]);
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine', 'a.kept': 'mine' }, { a: '1' }), ['write a (a.kept)']);
});

test('takes every file that differs for edited when the last install is unknown', async () => {
  assert.deepEqual(await plan({ a: '2', b: '1' }, { a: '1', b: '1' }, {}), ['write a (a.kept)']);
});

test('takes away what the bundle no longer has, and keeps it when it was edited', async () => {
  assert.deepEqual(await plan({}, { a: '1', b: 'mine' }, { a: '1', b: '1', c: '1' }), [
    'delete a',
    'delete b (b.kept)',
  ]);
});

test('leaves alone what is no regular file, and what the owner added', async () => {
  assert.deepEqual(await plan({ a: '1' }, { a: 'other', b: 'other', own: '9' }, { b: '1' }), ['blocked a']);
});

test('leaves alone what is installed where the bundle now has a link or a pipe', async () => {
  const installed = { a: '1', 'b/c': '1', bc: '1' };
  assert.deepEqual(await plan({}, installed, installed, ['a', 'b']), ['delete bc']);
});
