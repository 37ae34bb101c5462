/** A file or folder of a backup: the beginning of the snapshot's id, and the whole path, `/` for everything. */
export type FileAddress = { id: string; path: string };

const longestPath = 4096;

/** As a part of an address that no browser changes, whatever the names of files are. */
export function fileAddress({ id, path }: FileAddress): string {
  return `${id}/${Buffer.from(path).toString('base64url')}`;
}

/** `null` for another text. */
export function readFileAddress(text: string): FileAddress | null {
  const [, id, code = ''] = /^([0-9a-f]{8,64})\/([\w-]{1,16384})$/.exec(text) ?? [];
  if (id === undefined) return null;
  const path = Buffer.from(code, 'base64url').toString();
  const isPath = path.startsWith('/') && path.length <= longestPath && !path.includes('\0');
  return isPath && fileAddress({ id, path }) === text ? { id, path } : null;
}

/** The last name of a path; empty for `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
