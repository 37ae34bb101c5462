import { readDotenv } from '../dotenv/dotenv.ts';
import { parseDotenv } from '../dotenv/dotenv-syntax.ts';

/** Every text in a `.env` that may be a value of these keys, also in damaged lines, because Compose quotes those. */
export function secretTexts(
  text: string,
  keys: ReadonlySet<string>,
  environment?: ReadonlyMap<string, string>,
): string[] {
  const found = new Set<string>();
  for (const [key, value] of readDotenv(text, environment)) if (keys.has(key)) found.add(value);
  for (const { key, raw } of parseDotenv(text).statements) if (keys.has(key)) found.add(raw ?? '');
  for (const line of text.split('\n')) for (const rest of restsOfLine(line, keys)) found.add(rest);
  for (const secret of [...found]) for (const part of partsOf(secret)) found.add(part);
  found.delete('');
  return [...found];
}

/** Compose quotes a variable of a value, and the message or default in it, without the rest of the value. */
function partsOf(secret: string): string[] {
  if (!secret.includes('$')) return [];
  const pieces = secret.split(/[${}]+/);
  return pieces.flatMap((piece) => [piece.replace(/^\w+:?[?+-]/, ''), ...piece.split(/[:?+-]+/)]);
}

/** The rest of each line that starts with one of the keys, with and without quotes. */
function restsOfLine(line: string, keys: ReadonlySet<string>): string[] {
  const statement = line.trim().replace(/^export\s+/, '');
  const end = statement.search(/[^\w.-]/);
  const key = end === -1 ? statement : statement.slice(0, end);
  if (!keys.has(key)) return [];
  const rest = statement.slice(key.length).replace(/^\s*[=:]?\s*/, '');
  const unquoted = rest.replace(/^["']/, '');
  return [rest, unquoted, unquoted.replace(/["']$/, '')];
}
