import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { blockFiles } from './blocked-files.ts';

test('puts blocked files back, except where somebody has cleared the folder', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'blocked-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [stays, replaced, removed] = ['stays', 'replaced', 'removed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [stays, replaced, removed]) writeFileSync(file, 'before');

  const unblock = blockFiles([stays, replaced, removed]);
  for (const file of [stays, replaced, removed]) assert.ok(statSync(file).isDirectory());
  for (const file of [replaced, removed]) rmSync(file, { recursive: true });
  writeFileSync(replaced, 'after');
  unblock();

  assert.equal(readFileSync(stays, 'utf8'), 'before');
  assert.equal(readFileSync(replaced, 'utf8'), 'after');
  assert.ok(!existsSync(removed));
});
