/** Evaluates a value of `.env` as Compose does: escape sequences in double quotes, then variables. */

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
 * Resolves Compose's escape sequences. The escaped quote was resolved before. `\$` becomes `$$`, so that no variable is
 * filled in.
 */
export function expandEscapes(text: string): string {
  return text.replaceAll(/\\(?:([abfnrtv$\\])|0(\d{0,3}))/g, (_, letter: string | undefined, digits: string) => {
    if (letter !== undefined) return escapes[letter] as string;
    const isOctal = /^[0-3][0-7]{2}$/.test(digits);
    return isOctal ? String.fromCharCode(Number.parseInt(digits, 8)) : `\\${digits}`;
  });
}

/** Without a limit, forty lines that each double the previous one would fill any memory. */
const maxFilledIn = 4 * 1024 * 1024;

/** The variables of one `.env`. */
export function dotenvVariables(lookup: Variables['lookup']): Variables {
  return { lookup, left: maxFilledIn, closingBrace };
}

/**
 * The position of the brace that closes the one at `from`, with Compose's peculiarity: it skips the character after
 * each opening brace, and takes the last brace of the line if there are too few. -1 if the line has none.
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
