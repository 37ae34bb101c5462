const maxNameBytes = 255;
/** Node decodes bytes that are not UTF-8 as U+FFFD, so such a name cannot be opened. */
const impossible = /[/\p{Cc}\p{Cs}\ufffd]/u;

/** Whether a directory with this name can hold an app: only such a name becomes part of a path. choice/box/28 */
export function isAppName(name: string): boolean {
  if (name === '' || name.startsWith('.') || impossible.test(name)) return false;
  return new TextEncoder().encode(name).length <= maxNameBytes;
}

/** Why a directory with this name is shown as broken, whatever its files. choice/box/32 */
export function appNameFault(name: string): string {
  return `directory name: expected UTF-8 without control characters; found ${JSON.stringify(name)}`;
}

/** Escapes that no name needs: of a letter, a digit, `-`, `.`, `_` or `~`, of `/`, and of control characters. */
const needlessEscape = /%(?:[01].|2[def]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7[ef])/i;

/** Decodes an app's name in a path unless it has a needless escape: `%2f` must not enter a file path. choice/box/242 */
export function nameInPath(sent: string): string {
  if (!sent.includes('%') || needlessEscape.test(sent)) return sent;
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent; // A `%` that begins no escape, or bytes that are not UTF-8.
  }
}

/** The name that `docker compose` makes of a directory, or one of character codes. box/process/20, choice/box/98 */
export function projectOfDirectory(name: string): string {
  const folded = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
  if (folded !== '') return folded;
  const numbers = Array.from(name, (character) => character.codePointAt(0)?.toString(16));
  return `app-${numbers.join('-')}`;
}

/** In the directory of an app that was made beside another one: the name of the catalogue's app that it came from. */
export const originFile = '.catalogue-app';

/** The title of each app, with its name where two apps share the title. The page has the same rule. */
export function appTitles(apps: readonly { name: string; title: string }[]): Map<string, string> {
  const sameTitle = Map.groupBy(apps, ({ title }) => title.toLowerCase());
  const titles = [...sameTitle.values()].flatMap((same) => {
    const isShared = new Set(same.map(({ name }) => name)).size > 1;
    return same.map(({ name, title }) => [name, isShared && title !== name ? `${title} (${name})` : title] as const);
  });
  return new Map(titles);
}
