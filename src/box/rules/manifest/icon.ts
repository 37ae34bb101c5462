import { decodeUtf8, isWhiteSpace, trim } from '../text/unicode.ts';

export const maxIconBytes = 16384;

const declaration = /^<\?xml(?=[\s?])/;
const active = [/<script/i, /javascript:/i, /\bon[a-z]+\s*=/i];

/** The icon of a regular file as inline SVG markup; `null` unless rules 2 to 4 hold. box/icon/2-5, box/limits/1 */
export function inlineIcon(bytes: Uint8Array): string | null {
  if (bytes.length > maxIconBytes) return null;
  const text = decodeUtf8(bytes);
  if (text === null) return null;
  const markup = withoutDeclaration(trim(text, isAround));
  if (!markup?.startsWith('<svg')) return null;
  return active.some((pattern) => pattern.test(markup)) ? null : markup;
}

/** Whether an icon's name is a file name without directories. box/icon/1 */
export function isPlainFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

/** A byte-order mark around the markup counts as white space. */
const isAround = (char: string) => char === '\uFEFF' || isWhiteSpace(char);

function withoutDeclaration(text: string): string | null {
  if (!declaration.test(text)) return text;
  const end = text.indexOf('?>');
  return end === -1 ? null : trim(text.slice(end + 2), isAround);
}
