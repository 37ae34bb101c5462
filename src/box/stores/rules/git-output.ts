/** The ids of the regular files of a tree, by path; from `git ls-tree -r -z`. Links and submodules are left out. */
export function filesOfTree(output: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of output.split('\0')) {
    const tab = entry.indexOf('\t');
    const [mode = '', , id = ''] = entry.slice(0, tab).split(' ');
    if (tab !== -1 && mode.startsWith('100')) files.set(entry.slice(tab + 1), id);
  }
  return files;
}

/** The sizes of objects by id; from `git cat-file --batch-check`. Those that are missing are left out. */
export function batchSizes(output: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const line of output.split('\n')) {
    const [id = '', type, size] = line.split(' ');
    if (type === 'blob') sizes.set(id, Number(size));
  }
  return sizes;
}

const newline = 10;

/** The bytes of objects by id; from `git cat-file --batch`. */
export function batchContents(output: Uint8Array): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(newline, at);
    if (end === -1) break;
    const [id = '', type, size = ''] = new TextDecoder().decode(output.subarray(at, end)).split(' ');
    at = end + 1;
    if (type === undefined || size === '') continue;
    contents.set(id, output.slice(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
