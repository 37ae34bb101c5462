export type Variables = {
  lookup: (name: string) => string | undefined;
  /** Called for a variable that has no value and is therefore empty. */
  onUnset?: (name: string) => void;
  /** Remaining number of characters that values may add. */
  left: number;
  /** The position of the brace that closes the one at `from`; -1 without one. */
  closingBrace: (text: string, from: number) => number;
};

/** Each level of nested defaults reads the text once more. */
const maxNesting = 50;

const bareName = /[_a-z][_a-z0-9]*/iy;
const bracedName = /\{([_a-z][_a-z0-9]*)(?:(:?[-+?])|\})/iy;

/**
 * Fills in variables as Compose does: `$NAME`, `${NAME}`, defaults (`-`), required values (`?`) and replacements (`+`),
 * with or without the colon that treats an empty value as absent, and `$$` for a dollar sign, which any other `$` is,
 * too. `null` if Compose would refuse the text, if variables nest more than 50 deep, or if the values are too long.
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
  const end = variables.closingBrace(text, from);
  if (end < operandFrom) return null;
  // With a colon an empty value counts as absent.
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

/** A variable's value; `null` if it exceeds the remaining length. */
function fill(name: string, variables: Variables): string | null {
  const found = variables.lookup(name);
  if (found === undefined) variables.onUnset?.(name);
  const value = found ?? '';
  variables.left -= value.length;
  return variables.left < 0 ? null : value;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Longer than any path, image or name. Without this limit a short text could repeat a long value a million times. */
const maxLength = 4096;

type Env = Pick<ReadonlyMap<string, string>, 'get'>;

/** Fills in variables; `null` if `expandVariables` refuses the text, or the result has more than 4096 characters. */
export function interpolate(text: string, env: Env, onUnset?: (name: string) => void): string | null {
  const lookup = (name: string) => env.get(name);
  const result = expandVariables(text, {
    lookup,
    left: maxLength,
    closingBrace,
    ...(onUnset && { onUnset }),
  });
  return result === null || result.length > maxLength ? null : result;
}

/** The position of the brace that closes the one at `from`. Defaults may contain variables with braces. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let index = from + 1; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** The variables in the values of a Compose file that nothing sets, in order. Compose takes the empty text for them. */
export function unsetIn(document: unknown, env: Pick<ReadonlyMap<string, string>, 'get'>): string[] {
  const found = new Set<string>();
  const walk = (value: unknown) => {
    if (typeof value === 'string') interpolate(value, env, (name) => found.add(name));
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(document);
  return [...found];
}

/** The variables that nothing sets, as Compose names them. They are empty then. */
export function unsetVariables(said: string): string[] {
  const names = [...said.matchAll(/The \\?"([A-Za-z_][A-Za-z0-9_]{0,200})\\?" variable is not set/g)];
  return [...new Set(names.map(([, name = '']) => name))];
}
