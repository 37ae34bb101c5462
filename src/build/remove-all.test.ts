import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { removeAll } from './remove-all.ts';

const folder = temporaryFolder();

test('removes only files of earlier builds', () => {
  for (const name of ['kept.cjs', 'stale.cjs', 'kept.wasm', 'kept.cjs.123']) {
    writeFileSync(join(folder, name), '');
  }
  mkdirSync(join(folder, 'cache.cjs'));
  removeAll(folder, '.cjs', new Set(['kept.cjs']));
  assert.deepEqual(readdirSync(folder).sort(), ['cache.cjs', 'kept.cjs', 'kept.cjs.123', 'kept.wasm']);
});
