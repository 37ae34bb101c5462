/** Joiners are left, because they are part of emoji and of the letters of some languages. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that others chose, made safe for one line of a terminal, a log or a page: control characters, line ends, and
 * characters that are invisible or change the text direction become escapes.
 */
export function shownName(name: string): string {
  return name.replaceAll(unprintable, escaped);
}

/** Like `shownName`, but keeps line ends and tabs. */
export function shownText(text: string): string {
  return text.replaceAll(unprintable, (one) => (one === '\n' || one === '\t' ? one : escaped(one)));
}

/** Like `shownName`, but for a JSON text: the escaped text has the same value. */
export function shownJson(json: string): string {
  return json.replaceAll(unprintable, (character) => character.split('').map(jsonEscape).join(''));
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
