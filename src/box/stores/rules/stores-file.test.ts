import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStores } from './stores-file.ts';

const store = {
  ...{ name: 'casaos', address: 'https://git.example/a', copy: 'casaos.aB_1', revision: 'a 1' },
  ...{ readAt: '2026-01-01T00:00:00.000Z', problem: null, offered: 1, leftOut: 0 },
};

test('an entry that could lead out of the folder of copies, or lacks something, is no store', () => {
  const odd = [
    1,
    { ...store, name: '../a' },
    { ...store, copy: '../a' },
    { ...store, copy: 'casaos.a/b' },
    { ...store, copy: 1 },
    { ...store, offered: 'x' },
    { ...store, problem: 1 },
    { ...store, address: null },
  ];
  const away = { ...store, problem: 'it does not answer' };
  assert.deepEqual(parseStores([...odd, store, away]), [store, away]);
  assert.deepEqual(parseStores(undefined), []);
});
