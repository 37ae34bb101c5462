/**
 * What Compose makes of the text of a value in `.env`: escape sequences of double quotes, then variables. Other
 * variables are keys of the same file that stand earlier; the environment of Compose is not looked at, because the box
 * runs Compose with next to none.
 */

import type { Variables } from '../compose/variables.ts';

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  $: '$$',
  '\\': '\\',
};

/**
 * Resolves the escape sequences that Compose knows, but that of the quote itself, which the search for the end of the
 * value has resolved; `\$` becomes `$$`, which no variable is looked up for.
 */
export function expandEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:([abfnrtv$\\])|0(\d{0,3}))/g,
    (_, letter: string | undefined, digits: string) => {
      if (letter !== undefined) return escapes[letter] as string;
      const isOctal = /^[0-3][0-7]{2}$/.test(digits);
      return isOctal ? String.fromCharCode(Number.parseInt(digits, 8)) : `\\${digits}`;
    },
  );
}

/** Without a limit, forty lines that each double the one before would fill any memory. */
const maxFilledIn = 4 * 1024 * 1024;

/** The variables of one `.env`. */
export function dotenvVariables(lookup: Variables['lookup']): Variables {
  return { lookup, left: maxFilledIn, loneSign: '$', closingBrace };
}

/**
 * Where the brace at `from` closes: Compose looks past the character after each opening one, and takes the line's last
 * brace if there are too few. -1 when the line has none.
 */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
    if (text[at] === '{') {
      depth += 1;
      if (text[at + 1] !== '\n') at += 1;
    }
  }
  return text.lastIndexOf('}', at);
}
