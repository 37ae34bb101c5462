import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

export type ArchiveFile = { path: string; bytes: Uint8Array; executable: boolean };

type Archive = {
  bytes: Buffer;
  sha256: string;
  /** Sum of the sizes of all files, in bytes. */
  unpackedSize: number;
};

/**
 * Makes a gzipped tar of files below one folder. The same files and `time` give the same bytes: sorted, owned by root,
 * with modes 0644 and 0755. `time` is in seconds since 1970.
 */
export async function makeArchive(top: string, files: readonly ArchiveFile[], time: number): Promise<Archive> {
  const entries = new Map(files.map((file) => [`${top}/${file.path}`, file]));
  const folders = new Set([...entries.keys()].flatMap(foldersOf));
  const tar = pack();
  const zipped = tar.pipe(createGzip({ level: 6 })).toArray();
  const shared = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime: new Date(time * 1000) };
  for (const name of [...folders, ...entries.keys()].sort()) {
    const file = entries.get(name);
    if (file === undefined) tar.entry({ ...shared, name: `${name}/`, type: 'directory', mode: 0o755 });
    else tar.entry({ ...shared, name, mode: file.executable ? 0o755 : 0o644 }, Buffer.from(file.bytes));
  }
  tar.finalize();
  const bytes = Buffer.concat(await zipped);
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    unpackedSize: files.reduce((sum, file) => sum + file.bytes.length, 0),
  };
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
