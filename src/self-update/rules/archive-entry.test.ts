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

  const entry = /below one top folder/;
  const size = /bytes that its publisher has signed/;
  const attacks: [string, RegExp, ArchiveEntry[]][] = [
    ['a path that climbs out', entry, [file('../x')]],
    ['a path that climbs out below the top folder', entry, [file('t/a'), file('t/../../x')]],
    ['a path that climbs to its top folder', entry, [folder('t/..')]],
    ['an absolute path', entry, [file('/etc/passwd')]],
    ['an absolute path behind slashes', entry, [file('t//etc/passwd')]],
    ['a path with a dot', entry, [file('./t/a')]],
    ['a path with a backslash', entry, [file('t\\..\\x')]],
    ['a path with a NUL', entry, [file('t/a\0.txt')]],
    ['a path with a line end', entry, [file('t/a\nb')]],
    ['an empty name', entry, [file('')]],
    ['the root', entry, [folder('/')]],
    ['a file with a slash at its end', entry, [file('t/a/')]],
    ['a name without end', entry, [file(`t/${'x'.repeat(4095)}`)]],
    ['folders without end', entry, [file(`t/${'x/'.repeat(50)}x`)]],
    ['a symbolic link', entry, [file('t/a', { type: 'symlink' })]],
    ['a hard link', entry, [file('t/a', { type: 'link' })]],
    ['a character device', entry, [file('t/a', { type: 'character-device' })]],
    ['a block device', entry, [file('t/a', { type: 'block-device' })]],
    ['a fifo', entry, [file('t/a', { type: 'fifo' })]],
    ['a contiguous file', entry, [file('t/a', { type: 'contiguous-file' })]],
    ['an entry of an unknown kind', entry, [file('t/a', { type: null })]],
    ['a second top folder', entry, [file('t/a'), file('u/a')]],
    ['a file beside the top folder', entry, [file('t/a'), file('u')]],
    ['a file in place of the top folder', entry, [file('t')]],
    ['a file twice', entry, [file('t/a'), file('t/a')]],
    ['a file below a file', entry, [file('t/a'), file('t/a/b')]],
    ['a file far below a file', entry, [file('t/a'), file('t/a/b/c/d')]],
    ['a file in place of a folder', entry, [file('t/a/b'), file('t/a')]],
    ['a folder in place of a file', entry, [file('t/a'), folder('t/a')]],
    ['a negative size', entry, [file('t/a', { size: -1 })]],
    ['a size that is none', entry, [file('t/a', { size: Number.NaN })]],
    ['a folder with content', entry, [{ ...folder('t/a'), size: 1 }]],
    ['one byte more than signed', size, [file('t/a', { size: 1000 }), file('t/b', { size: 1 })]],
    ['four times the size', size, [file('t/a', { size: 4000 })]],
  ];
  for (const [title, message, entries] of attacks) {
    test(`attack: ${title} is refused`, () => {
      const judge = makeEntryJudge(1000);
      for (const entry of entries.slice(0, -1)) judge(entry);
      assert.throws(() => judge(entries.at(-1) as ArchiveEntry), { message });
    });
  }

  test('attack: more than 20 000 entries are refused', () => {
    const judge = makeEntryJudge(1000);
    for (let count = 0; count < 20_000; count += 1) judge(folder('t'));
    assert.throws(() => judge(folder('t')), { message: /more than 20000 files/ });
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
