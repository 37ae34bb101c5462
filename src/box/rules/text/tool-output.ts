/** Escape sequences of a terminal: colours, cursor movements, window titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const escapeSequence = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[^[\]]?)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const controlCharacter = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * The lines of a text that a tool may have written for a terminal, without control characters and empty lines. A
 * redrawn line appears in its last state only.
 */
export function toolLines(text: string): string[] {
  return text
    .replaceAll(escapeSequence, '')
    .split('\n')
    .map((line) => line.split('\r').findLast((drawn) => drawn.trim() !== '') ?? '')
    .map((line) => line.replaceAll(controlCharacter, '').trim())
    .filter((line) => line !== '');
}

/** Progress lines of Docker and Compose, checked with Compose 2.26 and later. */
const progress = [
  /^[^\w[]*(?:Container|Network|Volume|Image|Service) +\S+ +[A-Z][a-z]+(?: +[\d.]+m?s)?$/,
  /^[^\w[]*[\w[]\S* (?:Pulling|Pulled|Building|Built)(?: +[\d.]+m?s)?$/,
  /^[^\w[]*[0-9a-f]{12}:? [A-Z]/,
  /^\[\+\] /,
  /^#\d+ /,
  /is obsolete/,
];

const logged = /^time="[^"]*" level=\w+ msg="(.*)"$/;
/**
 * This warning is never the cause of a failure. If a password contains `$`, the warning quotes a part of that
 * password.
 */
const unset = /^The "[^"]*" variable is not set/;
const shownLines = 5;

/**
 * The reason of a failed command in one line: its last lines without progress. Compose's summary of a service is left
 * out if the engine's own error follows, and so is a line that ends with another one. If there is only progress, its last line.
 * should/box/17
 */
export function failureText(output: string): string {
  const lines = toolLines(output)
    .map((line) => logged.exec(line)?.[1]?.replaceAll('\\"', '"') ?? line)
    .filter((line) => !unset.test(line));
  const hasEngineError = lines.some((line) => line.startsWith('Error response from daemon'));
  const telling = lines.filter(
    (line) => !progress.some((pattern) => pattern.test(line)) && !(hasEngineError && /^\S+ Error /.test(line)),
  );
  const last = [...new Set(telling)].slice(-2 * shownLines);
  const different = last.filter((line) => !last.some((one) => one !== line && line.endsWith(one)));
  const shown = telling.length > 0 ? different.slice(-shownLines) : lines.slice(-1);
  return shown.join(' / ') || 'nothing';
}
