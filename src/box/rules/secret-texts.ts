import { readDotenv } from './dotenv.ts';
import { parseDotenv } from './dotenv-syntax.ts';

/**
 * Everything in a `.env` that may be the value of a secret, also where the file is damaged: Compose quotes the line
 * that it cannot read, and that line need not be one that we could.
 */
export function secretTexts(text: string, key: string): string[] {
  const value = readDotenv(text).get(key) ?? '';
  const raws = parseDotenv(text)
    .statements.filter((statement) => statement.key === key)
    .map(({ raw }) => raw ?? '');
  const found = [value, ...raws, ...restsOfLines(text, key)];
  return [...new Set(found)].filter((one) => one !== '');
}

/** What follows the key on each line that starts with it, with and without the quotes around it. */
function restsOfLines(text: string, key: string): string[] {
  return text.split('\n').flatMap((line) => {
    const statement = line.trim().replace(/^export\s+/, '');
    const after = statement.slice(key.length);
    // Another key that only begins like this one.
    if (!statement.startsWith(key) || /^[\w.-]/.test(after)) return [];
    const rest = after.replace(/^\s*[=:]?\s*/, '');
    const unquoted = rest.replace(/^["']/, '');
    return [rest, unquoted, unquoted.replace(/["']$/, '')];
  });
}
