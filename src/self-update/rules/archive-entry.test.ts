import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ArchiveEntry, makeEntryJudge } from './archive-entry.ts';
import { UpdateFailed } from './update-failed.ts';

const file = (name: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  name,
  type: 'file',
  size: 10,
  mode: 0o644,
  ...more,
});
const folder = (name: string): ArchiveEntry => ({ name, type: 'directory' });
const judgeAll = (entries: readonly ArchiveEntry[], maxBytes = 1000) => entries.map(makeEntryJudge(maxBytes));

describe('choice/box/139: the entries of an archive', () => {
  test('lose their top folder, and keep of their mode whether they are programs', () => {
    const entries = [
      folder('top/'),
      folder('top/bin'),
      file('top/bin/node', { mode: 0o4711 }),
      file('top/a..b', { mode: 0o666 }),
      file('top/new/deep/x', { mode: undefined }),
      folder('top/bin/'),
    ];
    assert.deepEqual(judgeAll(entries), [
      { kind: 'folder', path: '', mode: 0o755 },
      { kind: 'folder', path: 'bin', mode: 0o755 },
      { kind: 'file', path: 'bin/node', mode: 0o755 },
      { kind: 'file', path: 'a..b', mode: 0o644 },
      { kind: 'file', path: 'new/deep/x', mode: 0o644 },
      { kind: 'folder', path: 'bin', mode: 0o755 },
    ]);
  });

  test('may have as many bytes as the publisher has signed', () => {
    assert.equal(judgeAll([file('t/a', { size: 600 }), file('t/b', { size: 400 })]).length, 2);
  });

  const attacks: [string, string, ArchiveEntry[]][] = [
    ['a path that climbs out', 'archiveEntry', [file('../x')]],
    ['a path that climbs out below the top folder', 'archiveEntry', [file('t/a'), file('t/../../x')]],
    ['a path that climbs to its top folder', 'archiveEntry', [folder('t/..')]],
    ['an absolute path', 'archiveEntry', [file('/etc/passwd')]],
    ['an absolute path behind slashes', 'archiveEntry', [file('t//etc/passwd')]],
    ['a path with a dot', 'archiveEntry', [file('./t/a')]],
    ['a path with a backslash', 'archiveEntry', [file('t\\..\\x')]],
    ['a path with a NUL', 'archiveEntry', [file('t/a\0.txt')]],
    ['a path with a line end', 'archiveEntry', [file('t/a\nb')]],
    ['an empty name', 'archiveEntry', [file('')]],
    ['the root', 'archiveEntry', [folder('/')]],
    ['a file with a slash at its end', 'archiveEntry', [file('t/a/')]],
    ['a name without end', 'archiveEntry', [file(`t/${'x'.repeat(4095)}`)]],
    ['folders without end', 'archiveEntry', [file(`t/${'x/'.repeat(50)}x`)]],
    ['a symbolic link', 'archiveEntry', [file('t/a', { type: 'symlink' })]],
    ['a hard link', 'archiveEntry', [file('t/a', { type: 'link' })]],
    ['a character device', 'archiveEntry', [file('t/a', { type: 'character-device' })]],
    ['a block device', 'archiveEntry', [file('t/a', { type: 'block-device' })]],
    ['a fifo', 'archiveEntry', [file('t/a', { type: 'fifo' })]],
    ['a contiguous file', 'archiveEntry', [file('t/a', { type: 'contiguous-file' })]],
    ['an entry of an unknown kind', 'archiveEntry', [file('t/a', { type: null })]],
    ['a second top folder', 'archiveEntry', [file('t/a'), file('u/a')]],
    ['a file beside the top folder', 'archiveEntry', [file('t/a'), file('u')]],
    ['a file in place of the top folder', 'archiveEntry', [file('t')]],
    ['a file twice', 'archiveEntry', [file('t/a'), file('t/a')]],
    ['a file below a file', 'archiveEntry', [file('t/a'), file('t/a/b')]],
    ['a file far below a file', 'archiveEntry', [file('t/a'), file('t/a/b/c/d')]],
    ['a file in place of a folder', 'archiveEntry', [file('t/a/b'), file('t/a')]],
    ['a folder in place of a file', 'archiveEntry', [file('t/a'), folder('t/a')]],
    ['a negative size', 'archiveEntry', [file('t/a', { size: -1 })]],
    ['a size that is none', 'archiveEntry', [file('t/a', { size: Number.NaN })]],
    ['a folder with content', 'archiveEntry', [{ ...folder('t/a'), size: 1 }]],
    ['one byte more than signed', 'archiveUnpackedSize', [file('t/a', { size: 1000 }), file('t/b', { size: 1 })]],
    ['four times the size', 'archiveUnpackedSize', [file('t/a', { size: 4000 })]],
  ];
  for (const [title, code, entries] of attacks) {
    test(`attack: ${title} is refused`, () => {
      const judge = makeEntryJudge(1000);
      for (const entry of entries.slice(0, -1)) judge(entry);
      assert.throws(() => judge(entries.at(-1) as ArchiveEntry), { code });
    });
  }

  test('attack: more than 20 000 entries are refused', () => {
    const judge = makeEntryJudge(1000);
    for (let count = 0; count < 20_000; count += 1) judge(folder('t'));
    assert.throws(() => judge(folder('t')), { code: 'archiveCrowded' });
  });

  test('stay below the folder, whatever their names are', () => {
    const part = fc.constantFrom('', '.', '..', 'a', 'b', '/', '\\', '\0', 'a.');
    const names = fc.array(fc.array(part).map((parts) => parts.join('/')));
    fc.assert(
      fc.property(names, fc.boolean(), (all, isFile) => {
        const judge = makeEntryJudge(1000);
        const written: string[] = [];
        for (const name of all) {
          try {
            const { kind, path } = judge({ name: `t/${name}`, type: isFile ? 'file' : 'directory' });
            assert.ok(path.split('/').every((one) => one !== '..' && one !== '.'));
            assert.ok(!path.startsWith('/'));
            if (kind === 'file') written.push(path);
          } catch (error) {
            assert.ok(error instanceof UpdateFailed, String(error));
          }
        }
        assert.equal(new Set(written).size, written.length);
      }),
    );
  });
});
