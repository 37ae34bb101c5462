import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolders } from './make-folders.ts';

const isFault = (code: string, path: string) => (error: NodeJS.ErrnoException) =>
  error.code === code && error.path === path;

test('makes a folder with its parents once', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'boxgate-folders-'));
  t.after(() => rmSync(root, { recursive: true }));
  const path = join(root, 'a', 'b');
  assert.equal(makeFolders(path, 0o700), true);
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(makeFolders(path, 0o755), false);
  assert.equal(statSync(path).mode & 0o777, 0o700);
  const file = join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolders(file, 0o755), isFault('EEXIST', file));
});

test('names the first folder that the kernel does not make, and returns', () => {
  assert.throws(() => makeFolders('/proc/no/such/folder', 0o755), isFault('ENOENT', '/proc/no'));
});
