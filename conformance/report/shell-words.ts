/** Texts that stand as variables in a script, by the text. */
export type Names = ReadonlyMap<string, string>;

/** A `printf` that prints exactly these bytes, variables filled in. */
export function printed(bytes: Buffer, names: Names): string {
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes);
  const pieces = split(isText ? text : bytes.toString('latin1'), names);
  const format = pieces
    .map((piece) => (names.has(piece) ? '%s' : escaped(piece, isText)))
    .join('')
    // One that begins with a dash would be an option.
    .replace(/^-/, '\\055');
  const values = pieces.flatMap((piece) => (names.has(piece) ? [` "$${names.get(piece)}"`] : []));
  return `printf '${format}'${values.join('')}`;
}

/** One word of a shell, variables filled in. */
export function quoted(text: string, names: Names): string {
  const isPlain = !/'/.test(text) && split(text, names).every((piece) => !names.has(piece));
  return isPlain ? `'${text}'` : `"${filledIn(text, names)}"`;
}

/** What stands between double quotes, variables filled in. */
export const filledIn = (text: string, names: Names): string =>
  split(text, names)
    .map((piece) => (names.has(piece) ? `\${${names.get(piece)}}` : piece.replace(/["$`\\]/g, '\\$&')))
    .join('');

/** One line that a shell skips. */
export const commented = (text: string): string => `# ${text.replace(/\p{Cc}+/gu, ' ')}`;

/** The text in pieces: those that have a name stand alone. */
function split(text: string, names: Names): string[] {
  const [longest, ...others] = [...names.keys()].sort((one, other) => other.length - one.length);
  if (longest === undefined) return text === '' ? [] : [text];
  const rest = new Map([...names].filter(([name]) => others.includes(name)));
  return text
    .split(longest)
    .flatMap((piece, index) => [...(index > 0 ? [longest] : []), ...split(piece, rest)]);
}

/** As a format of `printf` between single quotes; what cannot be seen, or is no UTF-8, in octal. */
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
