/** The characters of Unicode's White_Space. JavaScript's own `trim` leaves U+0085 and removes U+FEFF. */
const whiteSpace =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

export function isWhiteSpace(char: string): boolean {
  return char !== '' && whiteSpace.includes(char);
}

/** The text without trailing characters for which `isLeftOut` holds. A regular expression would take quadratic time. */
export function trimEnd(text: string, isLeftOut = isWhiteSpace): string {
  let end = text.length;
  while (end > 0 && isLeftOut(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function trim(text: string, isLeftOut = isWhiteSpace): string {
  let start = 0;
  while (start < text.length && isLeftOut(text.charAt(start))) start += 1;
  return trimEnd(text.slice(start), isLeftOut);
}

/** Bytes as text; `null` if they are not UTF-8. A byte-order mark at the start is removed. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // The decoder reports invalid UTF-8 only by throwing.
  }
}
