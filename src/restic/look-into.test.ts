import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { lookInto } from './look-into.ts';

const node = (path: string, type: string, size?: number) =>
  `${JSON.stringify({ name: path.slice(path.lastIndexOf('/') + 1), type, path, size, mtime: '2026-11-28T14:46:36.9Z' })}\n`;
const changedAt = new Date('2026-11-28T14:46:36.9Z');

/** What restic prints, in parts of this many bytes. */
const printing = (text: string, partBytes = 7) =>
  async function* () {
    const bytes = Buffer.from(text);
    for (let i = 0; i < bytes.length; i += partBytes) yield bytes.subarray(i, i + partBytes);
  };

test('says what a path is, and lists the entries of a folder', async () => {
  const lines = ['{"struct_type":"snapshot"}\n', node('/a', 'dir'), node('/a/ü\n"', 'dir'), node('/a/b', 'file', 5)];
  lines.push(node('/a/c', 'symlink'), node('/a/d', 'fifo'));
  const { kind, entries, isCut } = await lookInto(printing(lines.join('')), '0123', '/a');
  deepEqual([kind, isCut], ['folder', false]);
  deepEqual(
    entries.map(({ name, kind: is, bytes, changedAt: at }) => [name, is, bytes, at]),
    [
      ['ü\n"', 'folder', 0, changedAt],
      ['b', 'file', 5, changedAt],
      ['c', 'link', 0, changedAt],
      ['d', 'other', 0, changedAt],
    ],
  );
  equal((await lookInto(printing(node('/f', 'file', 3)), '0123', '/f')).kind, 'file');
  equal((await lookInto(printing(''), '0123', '/')).kind, 'folder');
});

test('a path that is not there is refused, and so is a line without an end', async () => {
  await rejects(lookInto(printing('{"struct_type":"snapshot"}\n'), '0123', '/x'), { fault: 'no-snapshot' });
  await rejects(lookInto(printing('x'.repeat(100_000), 4096), '0123', '/x'), { fault: 'failed' });
});

test('reads no more than it shows', async () => {
  let read = 0;
  async function* endless() {
    for (; ; read += 1) yield Buffer.from(node(`/${read}`, 'file', 1));
  }
  const { entries, isCut } = await lookInto(endless, '0123', '/');
  deepEqual([entries.length, isCut, read], [2000, true, 2000]);
});
