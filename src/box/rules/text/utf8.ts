/** Bytes as text; `null` if they are not UTF-8. A byte-order mark at the start is removed. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // The decoder reports invalid UTF-8 only by throwing.
  }
}
