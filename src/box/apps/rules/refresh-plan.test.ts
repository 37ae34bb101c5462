import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRefresh } from './refresh-plan.ts';

async function plan(bundle: object, installed: Record<string, string>, last: object, leftOut: readonly string[] = []) {
  const { steps, blocked } = await planRefresh(
    new Map(Object.entries(bundle)),
    leftOut,
    async (path) => installed[path] ?? 'absent',
    new Map(Object.entries(last)),
  );
  const lines = steps.map(({ act, path, keepAs }) => `${act} ${path}${keepAs === null ? '' : ` (${keepAs})`}`);
  return [...lines, ...blocked.map((path) => `blocked ${path}`)];
}

test('replaces files of the bundle that were not edited', async () => {
  assert.deepEqual(await plan({ a: '2', b: '1' }, { a: '1', b: '1' }, { a: '1', b: '1' }), ['write a']);
});

test('restores a missing file', async () => {
  assert.deepEqual(await plan({ a: '1' }, {}, { a: '1' }), ['write a']);
});

test('keeps an edited file beside the new one, without overwriting an earlier copy', async () => {
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine' }, { a: '1' }), ['write a (a.kept)']);
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine', 'a.kept': 'older' }, { a: '1' }), ['write a (a.kept.2)']);
  assert.deepEqual(await plan({ a: '2' }, { a: 'mine', 'a.kept': 'mine' }, { a: '1' }), ['write a (a.kept)']);
});

test('takes every file that differs as edited if the last install is unknown', async () => {
  assert.deepEqual(await plan({ a: '2', b: '1' }, { a: '1', b: '1' }, {}), ['write a (a.kept)']);
});

test('deletes files that the bundle no longer has, and keeps edited ones', async () => {
  assert.deepEqual(await plan({}, { a: '1', b: 'mine' }, { a: '1', b: '1', c: '1' }), [
    'delete a',
    'delete b (b.kept)',
  ]);
});

test("leaves the owner's files alone, and everything that is not a regular file", async () => {
  assert.deepEqual(await plan({ a: '1' }, { a: 'other', b: 'other', own: '9' }, { b: '1' }), ['blocked a']);
});

test('leaves an installed file alone if the bundle now has a link or a pipe', async () => {
  const installed = { a: '1', 'b/c': '1', bc: '1' };
  assert.deepEqual(await plan({}, installed, installed, ['a', 'b']), ['delete bc']);
});
