/** Bytes as text, or null where they are no UTF-8. A byte-order mark before the text is left out. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // The decoder's only way to say that this is no UTF-8.
  }
}
