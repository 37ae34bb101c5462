/** No path, image or name is longer. Without a limit a short text could repeat a long value a million times. */
const maxLength = 4096;
/** Each level of defaults inside defaults costs another look at the text. */
const maxNesting = 50;

type Env = ReadonlyMap<string, string>;

const bareName = /[A-Za-z_][A-Za-z0-9_]*/y;
const bracedName = /\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])|\})/y;

/**
 * A text of a Compose file with its variables filled in, as Compose does: `$NAME`, `${NAME}`, defaults (`-`),
 * demands (`?`) and replacements (`+`) with and without the colon that lets an empty value count as absent, and
 * `$$` for the sign itself. `null` if a demanded variable is missing, the form is another one, variables nest more
 * than 50 deep, or the result is longer than 4096 characters.
 */
export function interpolate(text: string, env: Env, depth = 0): string | null {
  if (depth > maxNesting) return null;
  let result = '';
  let at = 0;
  while (result.length <= maxLength) {
    const dollar = text.indexOf('$', at);
    result += text.slice(at, dollar === -1 ? text.length : dollar);
    if (dollar === -1) break;
    const variable = variableAt(text, dollar + 1, env, depth);
    if (variable === null) return null;
    result += variable.value;
    at = variable.end;
  }
  return result.length > maxLength ? null : result;
}

type Variable = { value: string; end: number };

/** Reads the variable after a `$`; `at` is the position behind that sign. */
function variableAt(text: string, at: number, env: Env, depth: number): Variable | null {
  if (text[at] === '$') return { value: '$', end: at + 1 };
  bareName.lastIndex = at;
  const [bare] = bareName.exec(text) ?? [];
  if (bare !== undefined) return { value: env.get(bare) ?? '', end: at + bare.length };
  bracedName.lastIndex = at;
  const [start, name = '', operator] = bracedName.exec(text) ?? [];
  if (start === undefined) return null;
  const from = at + start.length;
  if (operator === undefined) return { value: env.get(name) ?? '', end: from };
  const end = closingBrace(text, from);
  if (end === -1) return null;
  const value = operate(env.get(name), operator, () => interpolate(text.slice(from, end), env, depth + 1));
  return value === null ? null : { value, end: end + 1 };
}

function operate(value: string | undefined, operator: string, word: () => string | null): string | null {
  // With a colon an empty value is as none.
  const counted = operator.startsWith(':') && value === '' ? undefined : value;
  if (operator.endsWith('+')) return counted === undefined ? '' : word();
  if (counted !== undefined) return counted;
  return operator.endsWith('-') ? word() : null;
}

/** Where the brace closes that was opened before `from`; words may hold variables with braces of their own. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}
