import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeAll } from './remove-all.ts';

const folder = mkdtempSync(join(tmpdir(), 'remove-all-'));
after(() => rmSync(folder, { recursive: true }));

test('removes only files of earlier builds', () => {
  for (const name of ['kept.cjs', 'stale.cjs', 'kept.wasm', 'kept.cjs.123']) {
    writeFileSync(join(folder, name), '');
  }
  mkdirSync(join(folder, 'cache.cjs'));
  removeAll(folder, '.cjs', new Set(['kept.cjs']));
  assert.deepEqual(readdirSync(folder).sort(), ['cache.cjs', 'kept.cjs', 'kept.cjs.123', 'kept.wasm']);
});
