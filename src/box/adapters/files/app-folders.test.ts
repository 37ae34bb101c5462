import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useTestBox } from '../../testing/test-box.ts';

const testBox = useTestBox();

const at = (...path: string[]) => join(testBox.directories.installed, ...path);
const read = (file: string) => {
  const bytes = testBox.box.folders.read(at('a'), file, 10);
  return bytes === null ? null : Buffer.from(bytes).toString();
};

test('reads regular files only, and no more of them than asked for', () => {
  testBox.installed('a', { short: 'abc', long: 'x'.repeat(20), 'empty.txt': ' ' });
  mkdirSync(at('a', 'folder'));
  symlinkSync(at('a', 'short'), at('a', 'link'));
  execFileSync('mkfifo', [at('a', 'pipe')]);
  assert.equal(read('short'), 'abc');
  assert.equal(read('long'), 'x'.repeat(10));
  for (const file of ['folder', 'link', 'pipe', 'absent', 'short/below', 'x'.repeat(300)])
    assert.equal(read(file), null, file);
});

test('an .env that is no regular file is broken, and is not waited for', () => {
  const env = () => testBox.box.folders.readEnv('a');
  testBox.installed('a');
  assert.equal(env(), null);
  execFileSync('mkfifo', [at('a', '.env')]);
  assert.throws(env, /\.env is not a regular file/);
  rmSync(at('a', '.env'));
  mkdirSync(at('a', '.env'));
  assert.throws(env, /\.env is not a regular file/);
});

test('finds directories and links, and nothing else', () => {
  testBox.installed('a');
  symlinkSync('/', at('link'));
  writeFileSync(at('file'), '');
  const find = (name: string) => testBox.box.folders.find('installed', name)?.link;
  assert.deepEqual([find('a'), find('link'), find('file'), find('absent')], [false, true, undefined, undefined]);
});

test('a digest depends on content, and differs for absent and empty files', () => {
  testBox.installed('a', { one: '1' });
  const digest = () => testBox.box.folders.digest(at('a'), ['one', 'two', at('a', 'three')]);
  const first = digest();
  assert.equal(digest(), first);
  testBox.installed('a', { two: ' ' });
  const second = digest();
  assert.notEqual(second, first);
  testBox.installed('a', { three: '3' });
  assert.notEqual(digest(), second);
});

test('tells a missing directory from one that cannot be inspected', () => {
  const { isDirectory } = testBox.box.folders;
  testBox.installed('a', { file: 'x' });
  assert.deepEqual([isDirectory(at('a')), isDirectory(at('a', 'file')), isDirectory(at('b'))], [true, false, false]);
  assert.equal(isDirectory(at('a', 'file', 'below')), false);
  symlinkSync(at('loop'), at('loop'));
  assert.equal(isDirectory(at('loop')), true);
});

test('an unreadable .env is broken for a change, and empty for a view', () => {
  const file = join(testBox.installed('notes', { '.env': 'A=1\n' }), '.env');
  chmodSync(file, 0);
  chmodSync(testBox.root, 0o755);
  asNobody(() => {
    assert.equal(testBox.box.folders.viewEnv('notes'), '');
    assert.throws(() => testBox.box.folders.readEnv('notes'), {
      name: 'BrokenEnv',
      message: `cannot read ${file}: permission denied`,
    });
  });
});

/** Runs as a user who owns no files, because root can read everything. */
function asNobody(work: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a digest notices changes of a large file', () => {
  const big = at('big');
  testBox.installed('a', { '../big': 'x'.repeat(4 * 1024 * 1024) });
  const digest = (files: string[]) => testBox.box.folders.digest(at('a'), files);
  for (let copy = 1; copy < 4; copy += 1) symlinkSync(big, at('a', `link${copy}`));
  const links = ['../big', 'link1', 'link2', 'link3'];
  const first = digest(links);
  assert.equal(digest(links), first);
  writeFileSync(big, `${'x'.repeat(5 * 1024 * 1024)}y`);
  const second = digest(links);
  assert.notEqual(second, first);
  writeFileSync(big, `${'x'.repeat(5 * 1024 * 1024)}z`);
  assert.notEqual(digest(['../big']), second);
});

test('a digest reads no more than 4 MiB, however often a large file is named', () => {
  testBox.installed('a', { big: 'x'.repeat(4 * 1024 * 1024 + 1) });
  const readBytes = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const files = Array.from({ length: 50 }, (_, index) => `${'./'.repeat(index)}big`);
  const before = readBytes();
  testBox.box.folders.digest(at('a'), files);
  assert.ok(readBytes() - before < 5 * 1024 * 1024);
});
