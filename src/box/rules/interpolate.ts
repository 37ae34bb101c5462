const bareName = /^\$([A-Za-z_][A-Za-z0-9_]*)/;
const bracedName = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(:?[-?+])?/;

/**
 * A text of a Compose file with its variables filled in, as Compose does: `$NAME`, `${NAME}`, defaults (`-`),
 * demands (`?`) and replacements (`+`) with and without the colon that lets an empty value count as absent, and
 * `$$` for the sign itself. Null when a demanded variable is missing or the form is none of these.
 */
export function interpolate(text: string, env: ReadonlyMap<string, string>): string | null {
  let result = '';
  let rest = text;
  while (rest !== '') {
    const next = rest.indexOf('$');
    if (next === -1) return result + rest;
    result += rest.slice(0, next);
    const step = variableAt(rest.slice(next), env);
    if (step === null) return null;
    result += step.value;
    rest = step.rest;
  }
  return result;
}

type Step = { value: string; rest: string };

function variableAt(text: string, env: ReadonlyMap<string, string>): Step | null {
  if (text.startsWith('$$')) return { value: '$', rest: text.slice(2) };
  const bare = bareName.exec(text);
  if (bare) return { value: env.get(bare[1] as string) ?? '', rest: text.slice(bare[0].length) };
  const braced = bracedName.exec(text);
  if (!braced) return null;
  const end = closingBrace(text, braced[0].length);
  if (end === -1) return null;
  const [, name, operator] = braced;
  const word = text.slice(braced[0].length, end);
  if (operator === undefined && word !== '') return null;
  const value = operate(env.get(name as string), operator, word, env);
  return value === null ? null : { value, rest: text.slice(end + 1) };
}

function operate(
  value: string | undefined,
  operator: string | undefined,
  word: string,
  env: ReadonlyMap<string, string>,
): string | null {
  const counts = operator?.startsWith(':') ? value !== undefined && value !== '' : value !== undefined;
  if (operator?.endsWith('+')) return counts ? interpolate(word, env) : '';
  if (operator === undefined || counts) return value ?? '';
  return operator.endsWith('-') ? interpolate(word, env) : null;
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
