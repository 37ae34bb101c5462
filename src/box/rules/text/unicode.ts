/** Whether a character is Unicode's White_Space. JavaScript's own `trim` leaves U+0085 and removes U+FEFF. */
export function isWhiteSpace(char: string): boolean {
  return /^\p{White_Space}$/u.test(char);
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
