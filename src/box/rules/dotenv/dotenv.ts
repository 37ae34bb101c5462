import { expandVariables, type Variables } from '../compose/variables.ts';
import { dotenvVariables, expandEscapes, parseDotenv, type Statement } from './dotenv-syntax.ts';

const isKey = (text: string) => /^[\p{L}\p{N}_.\-[\]]+$/u.test(text);
const lineEnd = () => /\p{White_Space}*?(?:\n|$)/uy;
// Characters that need no quotes: no blank, `#`, `$`, quote, back-tick or backslash, and no invalid character.
const needsNoQuotes = (value: string) => /^[\p{L}\p{N}_./:@%+,=!~^*&?;()<>|{}[\]-]*$/u.test(value);

type Values = ReadonlyMap<string, string>;

const none: Values = new Map();

/**
 * The values of a `.env` as Compose passes them to the containers. The last of several lines for one key counts;
 * invalid lines are ignored. `environment` has the variables of Compose itself, which a value can refer to and which
 * come before the keys of the file. choice/box/78
 */
export function readDotenv(text: string, environment = none): Map<string, string> {
  const values = new Map<string, string>();
  const variables = dotenvVariables((name) => environment.get(name) ?? values.get(name));
  for (const statement of parseDotenv(text).statements) {
    if (statement.bare || statement.key === '') continue;
    const value = readValue(statement, variables);
    if (value === null) values.delete(statement.key);
    else values.set(statement.key, value);
  }
  return values;
}

/**
 * The text with these values merged in. A changed key is replaced in its line, and a new key is appended. All other
 * lines stay byte for byte, also one that has the value already. Reading the result gives exactly these values.
 * box/post-rules/3, should/box/76, choice/box/78
 */
export function mergeDotenv(text: string, values: Values, environment = none): string {
  for (const name of values.keys()) {
    if (!isKey(name)) throw new Error(`no key of a .env file: ${JSON.stringify(name)}`);
  }
  // An unclosed quote would swallow everything appended after it, so its line becomes a comment.
  const read = (written: string) => readDotenv(written, environment);
  return writeUntilRead(text, values, read) ?? (writeUntilRead(commentUnclosed(text), values, read) as string);
}

/** A value as written in `.env`: plain if it needs no quotes, else in double quotes. choice/box/78 */
export function formatDotenvValue(value: string): string {
  return needsNoQuotes(value) ? value : quoted(value);
}

function quoted(value: string): string {
  const escaped = value
    .replaceAll(/[\\"$]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `"${escaped}"`;
}

function readValue({ raw, quote }: Statement, variables: Variables): string | null {
  if (raw === null || quote === "'") return raw;
  return expandVariables(quote === '"' ? expandEscapes(raw) : raw, variables);
}

/**
 * Writes the values that differ. A new value can change another line that refers to it. In that case every value with
 * a reference is written literally too, so that two rounds are enough. `null` if a written value is not read back,
 * because an unclosed quote precedes it.
 */
function writeUntilRead(text: string, values: Values, read: (text: string) => Values): string | null {
  const first = differing(read(text), values);
  if (first.size === 0) return text;
  const once = write(text, first);
  const left = differing(read(once), values);
  if ([...left.keys()].some((name) => first.has(name))) return null;
  return left.size === 0 ? once : write(once, new Map([...left, ...referring(once, values)]));
}

function differing(present: Values, values: Values): Values {
  return new Map([...values].filter(([name, value]) => present.get(name) !== value));
}

/** The values whose line has a `$` that may fill in a variable. */
function referring(text: string, values: Values): Values {
  const lastOf = lastStatements(text);
  return new Map([...values].filter(([name]) => lastOf.get(name)?.raw?.includes('$')));
}

/** The last of several lines for one key counts, so that line is changed. */
function lastStatements(text: string): Map<string, Statement> {
  return new Map(parseDotenv(text).statements.map((statement) => [statement.key, statement]));
}

function write(text: string, values: Values): string {
  const entries = [...values];
  const lastOf = lastStatements(text);
  const changes = entries.flatMap(([name, value]) => {
    const statement = lastOf.get(name);
    return statement === undefined ? [] : [{ statement, value }];
  });
  changes.sort((a, b) => a.statement.from - b.statement.from);
  const parts: string[] = [];
  let at = 0;
  for (const { statement, value } of changes) {
    parts.push(text.slice(at, statement.from), newValue(text, statement, value));
    at = statement.to;
  }
  return append(
    parts.join('') + text.slice(at),
    entries.filter(([name]) => !lastOf.has(name)),
  );
}

function newValue(text: string, { to, bare }: Statement, value: string): string {
  // Text after a closing quote would become part of a plain or empty value.
  const rest = lineEnd();
  rest.lastIndex = to;
  return `${bare ? '=' : ''}${rest.test(text) ? formatDotenvValue(value) : quoted(value)}`;
}

function append(text: string, entries: readonly (readonly [string, string])[]): string {
  if (entries.length === 0) return text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text === '\uFEFF' || text.endsWith('\n') ? text : text + newline;
  return start + entries.map(([name, value]) => `${name}=${formatDotenvValue(value)}${newline}`).join('');
}

function commentUnclosed(text: string): string {
  const places = parseDotenv(text).unclosed.toReversed();
  return places.reduce((all, at) => `${all.slice(0, at)}# ${all.slice(at)}`, text);
}

/** Keys of Compose that have no effect in an app's `.env`, because the box names the files itself. */
const ignored = ['COMPOSE_FILE', 'COMPOSE_ENV_FILES', 'COMPOSE_DISABLE_ENV_FILE'];

/** A sentence about the keys that have no effect; `null` without one. */
export function ignoredKeysText(values: ReadonlyMap<string, string>, file: string): string | null {
  const found = ignored.filter((key) => values.get(key));
  if (found.length === 0) return null;
  return `${found.join(', ')} in ${file} has no effect: the box uses compose.yaml, its override and .env`;
}

/** The keys that a new text of a `.env` adds, changes or removes, without values; empty if no value differs. */
export function changedKeys(before: string, after: string): string {
  const [old, now] = [readDotenv(before), readDotenv(after)];
  const changed = [...now.keys()].filter((key) => old.has(key) && old.get(key) !== now.get(key));
  const added = [...now.keys()].filter((key) => !old.has(key));
  const removed = [...old.keys()].filter((key) => !now.has(key));
  const parts = Object.entries({ changed, added, removed }).filter(([, keys]) => keys.length > 0);
  return parts.map(([what, keys]) => `${what} ${keys.join(', ')}`).join('; ');
}
