import { interpolate, type Lookup } from './interpolate.ts';

/**
 * Parses an environment file like Compose: `KEY=value`, `KEY: value`, or a bare `KEY` that `lookup` resolves,
 * optionally after `export`. Unquoted values end at ` #` or the end of the line and are interpolated. Double-quoted
 * values have escapes and may span lines. Single-quoted values are literal. Throws with the messages of Compose.
 */
export function parseDotenv(text: string, lookup: Lookup): Map<string, string> {
  const values = new Map<string, string>();
  const reader = new Reader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const find: Lookup = (name) => lookup(name) ?? values.get(name);
  while (reader.nextStatement()) {
    const { key, inherited } = reader.key();
    if (key.includes(' ')) throw new Error(`line ${reader.line}: key cannot contain a space`);
    const value = inherited ? lookup(key) : reader.value(find);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

/** The parser state. `line` is the line number in messages, counted as Compose does. */
class Reader {
  line = 1;
  private rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  /** Skips whitespace and comments; false at the end. */
  nextStatement(): boolean {
    for (;;) {
      const trimmed = this.rest.trimStart();
      this.line += countLines(this.rest.slice(0, this.rest.length - trimmed.length));
      this.rest = trimmed;
      if (!this.rest.startsWith('#')) return this.rest !== '';
      const end = this.rest.indexOf('\n');
      this.rest = end < 0 ? '' : this.rest.slice(end);
    }
  }

  key(): { key: string; inherited: boolean } {
    this.rest = this.rest.replace(/^export\s+/, '');
    const end = this.rest.search(/[^\p{L}\p{N}_.[\]\t\v\f\r \u0085\u00A0-]/u);
    const found = end < 0 ? '' : (this.rest[end] ?? '');
    if (end >= 0 && !'=:\n'.includes(found)) {
      const name = this.rest.split('\n')[0] ?? '';
      throw new Error(
        `line ${this.line}: unexpected character ${JSON.stringify(found)} in variable name ${JSON.stringify(name)}`,
      );
    }
    const key = end < 0 ? '' : this.rest.slice(0, end).trimEnd();
    // Compose reads a key without a separator at the end of the file as a value with an empty name.
    const left = end < 0 ? this.rest : this.rest.slice(end + 1);
    const inherited = found === '\n';
    if (inherited) this.line += 1;
    this.rest = left.replace(/^[\t\v\f\r \u0085\u00A0]+/, '');
    return { key, inherited };
  }

  value(lookup: Lookup): string {
    const quote = this.rest[0];
    if (quote === '"' || quote === "'") return this.quoted(quote, lookup);
    const end = this.rest.indexOf('\n');
    const line = end < 0 ? this.rest : this.rest.slice(0, end);
    this.rest = end < 0 ? '' : this.rest.slice(end + 1);
    this.line += 1;
    return interpolate((line.split(' #')[0] ?? '').trimEnd(), lookup);
  }

  private quoted(quote: string, lookup: Lookup): string {
    let inside = '';
    for (let at = 1; at < this.rest.length; at += 1) {
      const char = this.rest[at] ?? '';
      if (char === '\n') this.line += 1;
      if (char === '\\' && at + 1 < this.rest.length) {
        at += 1;
        const next = this.rest[at] ?? '';
        inside += next === quote ? next : `\\${next}`;
        continue;
      }
      if (char !== quote) {
        inside += char;
        continue;
      }
      this.rest = this.rest.slice(at + 1);
      return quote === '"' ? interpolate(expandEscapes(inside), lookup) : inside;
    }
    throw new Error(`line ${this.line}: unterminated quoted value ${this.rest.split('\n')[0]}`);
  }
}

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
};

/** Unknown escapes keep their backslash. `\$` becomes `$$`, which interpolation turns into `$`. */
function expandEscapes(text: string): string {
  return text.replace(/\\([abcfnrtv$"\\]|0\d{0,3})/g, (whole, escaped: string) => {
    if (escaped === '$') return '$$';
    if (!escaped.startsWith('0')) return escapes[escaped] ?? whole;
    const octal = /^0([0-7]{3})$/.exec(escaped);
    return octal ? String.fromCharCode(Number.parseInt(octal[1] ?? '0', 8)) : whole;
  });
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
