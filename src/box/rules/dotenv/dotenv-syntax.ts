/**
 * The grammar of `.env` as in Compose's own parser. It keeps every position, so that a file can be edited without
 * changing the rest.
 *
 * `KEY=value`, `KEY: value`, `export KEY=value`; a quoted value may span several lines and may be followed by another
 * statement; ` #` ends a plain value; `KEY` alone has no value here. If Compose would refuse the whole file, this
 * parser skips the faulty line and goes on.
 */

import type { Variables } from '../compose/variables.ts';
import { isWhiteSpace, trimEnd } from '../text/unicode.ts';

export type Statement = {
  key: string;
  /** The value without its quotes, before escapes and variables; `null` if it cannot be read. */
  raw: string | null;
  quote: '"' | "'" | null;
  from: number;
  to: number;
  /** `KEY` alone, without `=` or `:`. */
  bare: boolean;
};

export type Dotenv = {
  statements: Statement[];
  /** Positions of statements whose quote is never closed. */
  unclosed: number[];
};

const exported = /export(?=[\t\n\f\r ])[\t\v\f\r \u0085\u00a0]*/y;
const keyText = () => /[\p{L}\p{N}_.\-[\]\t\v\f\r \u0085\u00a0]*/uy;
const inlineBlanks = /[\t\v\f\r \u0085\u00a0]*/y;
const restOfLine = /[^\n]*/y;

/** Reads the whole text; skips a byte-order mark at its start. */
export function parseDotenv(text: string): Dotenv {
  const statements: Statement[] = [];
  const unclosed: number[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    at = skipBetween(text, at);
    if (at === text.length) return { statements, unclosed };
    const { statement, end } = readStatement(text, at);
    if (statement !== null) statements.push(statement);
    if (statement !== null && end === null) unclosed.push(at);
    at = end ?? skip(restOfLine, text, at);
  }
}

/** The statement at `at`, or `null` if it fits no grammar, and the position where the next one may begin. */
function readStatement(text: string, at: number): { statement: Statement | null; end: number | null } {
  const keyFrom = skip(exported, text, at);
  const keyTo = skip(keyText(), text, keyFrom);
  const key = trimEnd(text.slice(keyFrom, keyTo));
  const separator = text[keyTo];
  if (key.includes(' ')) return { statement: null, end: null };
  if (separator === undefined || separator === '\n') {
    const place = keyFrom + key.length;
    return { statement: { key, raw: null, quote: null, from: place, to: place, bare: true }, end: keyTo };
  }
  if (separator !== '=' && separator !== ':') return { statement: null, end: null };
  const from = skip(inlineBlanks, text, keyTo + 1);
  const quote = text[from];
  if (quote !== '"' && quote !== "'") return readPlain(text, key, from);
  return readQuoted(text, key, from, quote);
}

function readPlain(text: string, key: string, from: number): { statement: Statement; end: number } {
  const end = skip(restOfLine, text, from);
  const [beforeComment = ''] = text.slice(from, end).split(' #', 1);
  const raw = trimEnd(beforeComment);
  // The carriage return at the end of an empty value belongs to the line end.
  const start = raw === '' && text[from - 1] === '\r' ? from - 1 : from;
  return { statement: { key, raw, quote: null, from: start, to: start + raw.length, bare: false }, end };
}

function readQuoted(
  text: string,
  key: string,
  from: number,
  quote: '"' | "'",
): { statement: Statement; end: number | null } {
  let raw = '';
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === quote) {
      return { statement: { key, raw, quote, from, to: at + 1, bare: false }, end: at + 1 };
    }
    const next = text[at + 1];
    if (char === '\\' && next !== undefined) {
      // Only the escaped quote loses its backslash here; other escapes belong to the value.
      raw += next === quote ? next : char + next;
      at++;
    } else {
      raw += char;
    }
  }
  const to = skip(restOfLine, text, from);
  return { statement: { key, raw: null, quote, from, to, bare: false }, end: null };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The position of the next statement, after white space, blank lines and comments. */
function skipBetween(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isWhiteSpace(text.charAt(at))) at += 1;
    if (text[at] !== '#') return at;
    at = skip(restOfLine, text, at);
  }
}

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

/** Resolves Compose's escapes, except that of the quote. `\$` becomes `$$`, so that no variable is filled in. */
export function expandEscapes(text: string): string {
  return text.replaceAll(/\\(?:([abfnrtv$\\])|0(\d{0,3}))/g, (_, letter: string | undefined, digits: string) => {
    if (letter !== undefined) return escapes[letter] as string;
    const isOctal = /^[0-3][0-7]{2}$/.test(digits);
    return isOctal ? String.fromCharCode(Number.parseInt(digits, 8)) : `\\${digits}`;
  });
}

/** Without a limit, forty lines that each double the previous one would fill any memory. */
const maxFilledIn = 4 * 1024 * 1024;

export function dotenvVariables(lookup: Variables['lookup']): Variables {
  return { lookup, left: maxFilledIn, closingBrace };
}

/**
 * The closing brace as Compose finds it: it skips the character after each opening brace, and takes the line's last
 * brace if there are too few. -1 if the line has none.
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
