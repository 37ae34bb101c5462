/**
 * A name that somebody else chose, as a terminal may show it: what could end its line or turn it around is shown as an
 * escape.
 */
export function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
