/**
 * What Compose makes of the text of a value in `.env`: escape sequences of double quotes, then variables. Other
 * variables are keys of the same file that stand earlier; the environment of whoever runs Compose is not looked at,
 * because the box runs it with next to none.
 */

type Lookup = (name: string) => string | undefined;

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
 * Resolves the escape sequences that Compose knows, but that of the quote itself, which whoever found the end of the
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

/**
 * The variables of one file. `left` is how many characters they may still put into its values: without a limit, forty
 * lines that each double the one before would fill any memory.
 */
export type Variables = { lookup: Lookup; left: number };

export const maxFilledIn = 4 * 1024 * 1024;
/** Each level of defaults inside defaults costs another look at the text. */
const maxNesting = 50;

const bareName = /[_a-z][_a-z0-9]*/iy;
const bracedName = /\{([_a-z][_a-z0-9]*)(?:(:?[-+?])|\})/iy;

/**
 * Puts the values of variables in, or null where Compose would refuse the file for it. Also null when they nest deeper
 * or grow larger than any sensible file needs.
 */
export function expandVariables(text: string, variables: Variables, depth = 0): string | null {
  if (depth > maxNesting) return null;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const dollar = text.indexOf('$', at);
    if (dollar === -1) return parts.join('') + text.slice(at);
    const variable = variableAt(text, dollar, variables, depth);
    if (variable === null) return null;
    parts.push(text.slice(at, dollar), variable.value);
    at = variable.end;
  }
}

type Found = { value: string; end: number };

/** Reads the `$` at `dollar`: an escaped sign, a bare variable, or a variable in braces. */
function variableAt(text: string, dollar: number, variables: Variables, depth: number): Found | null {
  const from = dollar + 1;
  if (text[from] === '$') return { value: '$', end: from + 1 };
  if (text[from] === '{') return bracedAt(text, from, variables, depth);
  const name = matchAt(bareName, text, from)?.[0];
  if (name === undefined) return { value: '$', end: from };
  return ended(fill(name, variables), from + name.length);
}

function bracedAt(text: string, from: number, variables: Variables, depth: number): Found | null {
  const [start, name = '', operator] = matchAt(bracedName, text, from) ?? [];
  if (start === undefined) return null;
  const operandFrom = from + start.length;
  if (operator === undefined) return ended(fill(name, variables), operandFrom);
  const end = closingBrace(text, from);
  if (end < operandFrom) return null;
  // With a colon an empty value is as none.
  const value = variables.lookup(name);
  const isPresent = operator.startsWith(':') ? Boolean(value) : value !== undefined;
  const operand = () => expandVariables(text.slice(operandFrom, end), variables, depth + 1);
  if (operator.endsWith('+')) return ended(isPresent ? operand() : '', end + 1);
  if (isPresent) return ended(fill(name, variables), end + 1);
  return ended(operator.endsWith('-') ? operand() : null, end + 1);
}

function ended(value: string | null, end: number): Found | null {
  return value === null ? null : { value, end };
}

/** A variable's value, or null when there is no room left for it. */
function fill(name: string, variables: Variables): string | null {
  const value = variables.lookup(name) ?? '';
  variables.left -= value.length;
  return variables.left < 0 ? null : value;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
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
