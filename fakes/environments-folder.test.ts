import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentsFolder } from './environments-folder.ts';

test('environments are made in memory if possible, unless TMPDIR is set', (t) => {
  const memory = mkdtempSync(join(tmpdir(), 'boxgate-memory-'));
  t.after(() => rmSync(memory, { recursive: true }));
  assert.equal(environmentsFolder({}, memory), memory);
  assert.deepEqual(readdirSync(memory), []);
  assert.equal(environmentsFolder({ TMPDIR: tmpdir() }, memory), tmpdir());
  assert.equal(environmentsFolder({}, join(memory, 'nowhere')), tmpdir());
  assert.equal(environmentsFolder({}, '/proc'), tmpdir());
});
