const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A name that others chose, made safe for one line of a terminal: control characters, line ends and characters that
 * change the text direction become escapes.
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
  return json.replaceAll(unprintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
