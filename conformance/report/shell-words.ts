/** Maps texts to the shell variables that contain them. */
export type Names = ReadonlyMap<string, string>;

/** A `printf` command that prints exactly these bytes, with texts replaced by variables. */
export function printed(bytes: Buffer, names: Names): string {
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes);
  const pieces = split(isText ? text : bytes.toString('latin1'), names);
  const format = pieces
    .map((piece) => (names.has(piece) ? '%s' : escaped(piece, isText)))
    .join('')
    // A leading dash would be an option.
    .replace(/^-/, '\\055');
  const values = pieces.flatMap((piece) => (names.has(piece) ? [` "$${names.get(piece)}"`] : []));
  return `printf '${format}'${values.join('')}`;
}

/** A quoted shell word, with texts replaced by variables. */
export function quoted(text: string, names: Names): string {
  const isPlain = !/'/.test(text) && split(text, names).every((piece) => !names.has(piece));
  return isPlain ? `'${text}'` : `"${filledIn(text, names)}"`;
}

/** The content of a double-quoted shell word, with texts replaced by variables. */
export const filledIn = (text: string, names: Names): string =>
  split(text, names)
    .map((piece) => (names.has(piece) ? `\${${names.get(piece)}}` : piece.replace(/["$`\\]/g, '\\$&')))
    .join('');

/** A shell comment of one line. */
export const commented = (text: string): string => `# ${text.replace(/\p{Cc}+/gu, ' ')}`;

/** Splits a text into the parts that a variable replaces and the parts between them. */
function split(text: string, names: Names): string[] {
  const [longest, ...others] = [...names.keys()].sort((one, other) => other.length - one.length);
  if (longest === undefined) return text === '' ? [] : [text];
  const rest = new Map([...names].filter(([name]) => others.includes(name)));
  return text.split(longest).flatMap((piece, index) => [...(index > 0 ? [longest] : []), ...split(piece, rest)]);
}

/** A format of `printf` for single quotes. Invisible characters and invalid UTF-8 are written in octal. */
function escaped(text: string, isText: boolean): string {
  return [...text]
    .map((character) => {
      if (character === '\n') return '\\n';
      if (character === '%') return '%%';
      if (character === '\\') return '\\\\';
      const isSeen = /^[^\p{C}\p{Z}']$|^ $/u.test(character) && (isText || character < '\u007f');
      return isSeen ? character : [...Buffer.from(character, isText ? 'utf8' : 'latin1')].map(octal).join('');
    })
    .join('');
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
