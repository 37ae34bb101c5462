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

const variable = /\$(?:(\$)|([_a-z][_a-z0-9]*)|\{(?:([_a-z][_a-z0-9]*(?::?[-+?][^\n]*)?)\}|()))/gi;

/** Puts the values of variables in, or null where Compose would refuse the file for it. */
export function expandVariables(text: string, lookup: Lookup): string | null {
  let refused = false;
  const expanded = text.replaceAll(variable, (whole, dollar?: string, name?: string, braced?: string) => {
    if (dollar !== undefined) return '$';
    if (name !== undefined) return lookup(name) ?? '';
    const value = braced === undefined ? null : expandBraced(whole, lookup);
    if (value === null) refused = true;
    return value ?? '';
  });
  return refused ? null : expanded;
}

/** `whole` starts with `${` and ends with a `}` that may belong to a later variable of the same line. */
function expandBraced(whole: string, lookup: Lookup): string | null {
  const end = closingBrace(whole);
  // It was found by its name at the start, so this matches.
  const parts = /^([_a-z][_a-z0-9]*)(:?[-+?])?([^\n]*)$/i.exec(whole.slice(2, end));
  const [, name, operator, operand] = parts as unknown as [string, string, string | undefined, string];
  const value = expandOperator(lookup(name), operator, operand, lookup);
  const rest = expandVariables(whole.slice(end + 1), lookup);
  return value === null || rest === null ? null : value + rest;
}

function expandOperator(
  value: string | undefined,
  operator: string | undefined,
  operand: string,
  lookup: Lookup,
): string | null {
  if (operator === undefined) return value ?? '';
  // With a colon an empty value is as none.
  const present = operator.startsWith(':') ? Boolean(value) : value !== undefined;
  if (operator.endsWith('+')) return present ? expandVariables(operand, lookup) : '';
  if (present) return value as string;
  return operator.endsWith('-') ? expandVariables(operand, lookup) : null;
}

/** Where the first brace closes; Compose looks past the character after each opening one. */
function closingBrace(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '}' && --depth === 0) return i;
    if (text[i] === '{') {
      depth++;
      i++;
    }
  }
  return text.length - 1;
}
