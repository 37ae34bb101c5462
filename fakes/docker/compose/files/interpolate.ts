/** Thrown for a `${` that is not a valid substitution. */
export class InvalidTemplate extends Error {
  readonly template: string;

  constructor(template: string) {
    super(`Invalid template: ${JSON.stringify(template)}`);
    this.template = template;
  }
}

export type Lookup = (name: string) => string | undefined;
export type Warn = (text: string) => void;

const named = /^[_a-zA-Z][_a-zA-Z0-9]*/;

/**
 * Interpolates variables like Compose: `$NAME`, `${NAME}`, `:-` and `-` (default), `:?` and `?` (required), `:+` and
 * `+` (alternative), nested to any depth. `$$` is a literal `$`, and so is a `$` before anything else. Throws
 * `InvalidTemplate` for an invalid `${`.
 */
export function interpolate(template: string, lookup: Lookup, warn: Warn = () => {}): string {
  let out = '';
  let at = 0;
  while (at < template.length) {
    const dollar = template.indexOf('$', at);
    if (dollar < 0) return out + template.slice(at);
    out += template.slice(at, dollar);
    const [text, next] = substitute(template, dollar, lookup, warn);
    out += text;
    at = next;
  }
  return out;
}

/** Returns the substituted text and the index after the substitution. */
function substitute(template: string, dollar: number, lookup: Lookup, warn: Warn): [string, number] {
  const after = template.slice(dollar + 1);
  if (after.startsWith('$')) return ['$', dollar + 2];
  const plain = named.exec(after)?.[0];
  if (plain) return [variableValue(plain, lookup, warn), dollar + 1 + plain.length];
  if (!after.startsWith('{')) return ['$', dollar + 1];
  const end = closingBrace(template, dollar);
  if (end < 0) throw new InvalidTemplate(template);
  return [braced(template.slice(dollar + 2, end), template, lookup, warn), end + 1];
}

function closingBrace(template: string, from: number): number {
  let open = 0;
  for (let index = from; index < template.length; index += 1) {
    // Faster than `startsWith`: the depth squares this loop.
    const char = template[index];
    if (char === '$' && template[index + 1] === '{') open += 1;
    if (char !== '}') continue;
    open -= 1;
    if (open === 0) return index;
  }
  return -1;
}

function braced(inside: string, whole: string, lookup: Lookup, warn: Warn): string {
  const name = named.exec(inside)?.[0];
  if (!name) throw new InvalidTemplate(whole);
  const rest = inside.slice(name.length);
  if (rest === '') return variableValue(name, lookup, warn);
  const operator = /^(:?[-?+])/.exec(rest)?.[0];
  if (!operator) throw new InvalidTemplate(whole);
  const argument = () => interpolate(rest.slice(operator.length), lookup, warn);
  const value = lookup(name);
  const isThere = value !== undefined && (operator.length === 1 || value !== '');
  if (operator.endsWith('-')) return isThere ? value : argument();
  if (operator.endsWith('+')) return isThere ? argument() : '';
  if (isThere) return value;
  const message = argument();
  throw new Error(`required variable ${name} is missing a value${message ? `: ${message}` : ''}`);
}

function variableValue(name: string, lookup: Lookup, warn: Warn): string {
  const value = lookup(name);
  if (value === undefined) warn(`The "${name}" variable is not set. Defaulting to a blank string.`);
  return value ?? '';
}
