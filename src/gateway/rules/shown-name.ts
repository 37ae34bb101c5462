/** Escapes control and formatting characters in a name that an untrusted party chose, for display in a terminal. */
export function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
