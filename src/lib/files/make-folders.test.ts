import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { makeFolders } from './make-folders.ts';

const isFault = (code: string, path: string) => (error: NodeJS.ErrnoException) =>
  error.code === code && error.path === path;

test('makes a folder with its parents once', () => {
  const root = temporaryFolder();
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
