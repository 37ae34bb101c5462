/** A router's rule: the requests it matches, and its host names. */
export type Rule = { matches: (request: Asked) => boolean; hosts: string[] };
export type Asked = { host: string; path: string; method: string };

export class BadRule extends Error {}

type Matches = Rule['matches'];

/** The remaining tokens and the hosts so far. */
type Reading = { rule: string; tokens: string[]; hosts: string[] };

const served = ['host', 'path', 'pathprefix', 'pathregexp', 'method'];
const notServed = ['hostregexp', 'header', 'headerregexp', 'query', 'queryregexp', 'clientip'];

/** Parses `Host`, `Path`, `PathPrefix`, `PathRegexp` and `Method`, combined with `&&`, `||`, `!` and parentheses. */
export function parseRule(rule: string): Rule {
  const reading: Reading = { rule, tokens: tokensOf(rule), hosts: [] };
  const matches = either(reading);
  if (reading.tokens.length > 0) throw bad(reading, `unexpected ${reading.tokens[0]}`);
  return { matches: (asked) => matches({ ...asked, path: decoded(asked.path) }), hosts: reading.hosts };
}

/** Percent-encoded characters that rules see encoded: the reserved ones of RFC 3986, and `%`. */
const kept = '%(?:2[1345-9A-CF]|3[ABDF]|40|5[BD])';
const encoded = new RegExp(`${kept}|((?:(?!${kept})%[0-9A-F]{2})+)`, 'gi');

/** A path as rules see it. */
function decoded(path: string): string {
  return path.replace(encoded, (text: string, bytes?: string) =>
    bytes === undefined ? text.toUpperCase() : new TextDecoder().decode(Buffer.from(bytes.replaceAll('%', ''), 'hex')),
  );
}

function tokensOf(rule: string): string[] {
  return rule.match(/`[^`]*`|"[^"\\]*"|&&|\|\||\w+|\S/g) ?? [];
}

function either(reading: Reading): Matches {
  const parts = joined(reading, '||', both);
  return (asked) => parts.some((part) => part(asked));
}

function both(reading: Reading): Matches {
  const parts = joined(reading, '&&', operand);
  return (asked) => parts.every((part) => part(asked));
}

function joined(reading: Reading, by: string, part: (reading: Reading) => Matches): Matches[] {
  const parts = [part(reading)];
  while (reading.tokens[0] === by) {
    reading.tokens.shift();
    parts.push(part(reading));
  }
  return parts;
}

function operand(reading: Reading): Matches {
  const token = reading.tokens.shift();
  if (token === '!') {
    const inner = operand(reading);
    return (asked) => !inner(asked);
  }
  if (token === '(') {
    const inner = either(reading);
    expect(reading, ')');
    return inner;
  }
  if (token === undefined || !/^\w+$/.test(token)) throw bad(reading, `expected operand, found ${token ?? "'EOF'"}`);
  return matcher(reading, token, values(reading));
}

function values(reading: Reading): string[] {
  const { tokens } = reading;
  const found: string[] = [];
  expect(reading, '(');
  while (/^(`.*`|".*")$/s.test(tokens[0] ?? '')) {
    found.push((tokens.shift() ?? '').slice(1, -1));
    if (tokens[0] === ',') tokens.shift();
  }
  expect(reading, ')');
  return found;
}

function expect(reading: Reading, wanted: string): void {
  const token = reading.tokens.shift();
  if (token !== wanted) throw bad(reading, `expected ${wanted}, found ${token ?? "'EOF'"}`);
}

/** One function of a rule; names are case-insensitive. */
function matcher(reading: Reading, name: string, [value = '', ...more]: string[]): Matches {
  const known = name.toLowerCase();
  if (notServed.includes(known)) throw bad(reading, `${name} is not served by this fake`);
  if (!served.includes(known)) throw bad(reading, `unsupported function: ${name}`);
  if (more.length > 0)
    throw bad(reading, `unexpected number of parameters; got ${more.length + 1}, expected one of [1]`);
  if (value === '') throw bad(reading, `empty args for matcher ${name}`);
  if (known === 'host') return hostMatcher(reading, value);
  if (known === 'method') return (asked) => asked.method === value.toUpperCase();
  if (known === 'pathregexp') return pathMatcher(reading, value);
  if (!value.startsWith('/')) throw bad(reading, `path "${value}" does not start with a '/'`);
  return known === 'path' ? (asked) => asked.path === value : (asked) => asked.path.startsWith(value);
}

function hostMatcher(reading: Reading, value: string): Matches {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  if (/[^\u0000-\u007f]/.test(value))
    throw bad(reading, `invalid value "${value}" for Host matcher, non-ASCII characters are not allowed`);
  const host = value.toLowerCase();
  reading.hosts.push(host);
  return (asked) => asked.host === host;
}

/** Reads the pattern as one of JavaScript. */
function pathMatcher(reading: Reading, value: string): Matches {
  try {
    const pattern = new RegExp(value, 'u');
    return (asked) => pattern.test(asked.path);
  } catch (error) {
    throw bad(reading, `compiling PathRegexp: ${(error as Error).message}`);
  }
}

function bad({ rule }: Reading, why: string): BadRule {
  return new BadRule(`error while parsing rule ${rule}: ${why}`);
}
