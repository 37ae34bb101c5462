import type { Headers } from 'tar-stream';
import { fail } from './update-failed.ts';

export type ArchiveEntry = Pick<Headers, 'name' | 'type' | 'size' | 'mode'>;

/** Where an entry belongs. `path` is relative to the archive's top folder and empty for that folder itself. */
type UnpackedEntry = { kind: 'file' | 'folder'; path: string; mode: 0o644 | 0o755 };

const maxEntries = 20_000;
const maxNameLength = 4096;
const maxDepth = 50;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const badCharacters = /[\u0000-\u001f\u007f\\]/;

/**
 * Validates the entries of one archive in turn. Allows files and folders below one top folder, each file once, and at
 * most `maxBytes` of files. Throws UpdateFailed at the first invalid entry, before it is written.
 * choice/box/139
 */
export function makeEntryJudge(maxBytes: number): (entry: ArchiveEntry) => UnpackedEntry {
  const kinds = new Map<string, 'file' | 'folder'>([['', 'folder']]);
  let top: string | null = null;
  let count = 0;
  let bytes = 0;

  /** Records a path and its parents as folders; false if one of them is a file. */
  const addFolders = (path: string): boolean => {
    const known = kinds.get(path);
    if (known !== undefined) return known === 'folder';
    kinds.set(path, 'folder');
    return addFolders(parentOf(path));
  };

  return ({ name, type, size = 0, mode = 0 }) => {
    count += 1;
    if (count > maxEntries) {
      fail(`the archive holds more than ${maxEntries} files and folders, so nothing was installed`);
    }
    const refuse: (problem: string) => never = (problem) => {
      const wanted = 'it has to be a file or folder below one top folder, so nothing was installed';
      fail(`"${name.slice(0, 200)}" in the archive ${problem}; ${wanted}`);
    };
    if (type !== 'file' && type !== 'directory') refuse(`is a ${type ?? 'thing of an unknown kind'}`);
    const kind = type === 'file' ? 'file' : 'folder';
    if (!Number.isSafeInteger(size) || size < 0 || (kind === 'folder' && size > 0)) refuse('has no usable size');
    bytes += size;
    if (bytes > maxBytes) failAsTooLarge(maxBytes);

    if (name.length > maxNameLength) refuse('has too long a name');
    if (badCharacters.test(name)) refuse('has a backslash or control character in its name');
    const [first = '', ...below] = (kind === 'folder' ? name.replace(/\/$/, '') : name).split('/');
    if ([first, ...below].some((part) => part === '' || part === '.' || part === '..'))
      refuse('leads out of its folder');
    if (below.length > maxDepth) refuse('is in too many folders');
    top ??= first;
    const path = below.join('/');
    if (first !== top || (path === '' && kind === 'file')) refuse(`is outside of the top folder "${top}"`);

    if (kind === 'folder') {
      if (!addFolders(path)) refuse('is a file and a folder');
      return { kind, path, mode: 0o755 };
    }
    if (kinds.get(path) === 'file') refuse('is there twice');
    if (kinds.has(path) || !addFolders(parentOf(path))) refuse('is a file and a folder');
    kinds.set(path, 'file');
    return { kind, path, mode: (mode & 0o111) === 0 ? 0o644 : 0o755 };
  };
}

/** Throws UpdateFailed. */
export function failAsTooLarge(maxBytes: number): never {
  fail(
    `the archive's files have more than the ${maxBytes} bytes that its publisher has signed, so nothing was installed`,
  );
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
