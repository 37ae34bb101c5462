import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { worldsFolder } from './worlds-folder.ts';

test('worlds are made in memory where there is a place, unless TMPDIR says otherwise', (t) => {
  const memory = mkdtempSync(join(tmpdir(), 'boxgate-memory-'));
  t.after(() => rmSync(memory, { recursive: true }));
  assert.equal(worldsFolder({}, memory), memory);
  assert.deepEqual(readdirSync(memory), []);
  assert.equal(worldsFolder({ TMPDIR: tmpdir() }, memory), tmpdir());
  assert.equal(worldsFolder({}, join(memory, 'nowhere')), tmpdir());
  assert.equal(worldsFolder({}, '/proc'), tmpdir());
});
