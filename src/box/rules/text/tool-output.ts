/** Moves to the start of the line or screen, or erases it: what follows is drawn in its place, as after `\r`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const redraw = /\x1bc|(?:\x1b\[|\x9b)(?:[01]?G|2K|1?(?:;1?)?[Hf]|[23]J)/g;
/** Moves to the left, as backspaces do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const leftward = /(?:\x1b\[|\x9b)(\d{0,2})D/g;
/** Escape sequences of a terminal: colours, cursor movements, window titles. The end of a line may have cut one off. */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:[\x07\x9c]|\x1b\\)?|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const controlCharacter = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** A line that was written for a terminal, without control characters: the last state of it that is not blank. */
export function drawnLine(line: string): string {
  const states = line
    .replaceAll(redraw, '\r')
    .replaceAll(leftward, (_, count: string) => '\b'.repeat(Number(count || 1)))
    .replaceAll(escapeSequence, '')
    .split('\r');
  const last = states.findLast((state) => state.trim() !== '') ?? '';
  return (last.includes('\b') ? withoutErased(last) : last).replaceAll(controlCharacter, '');
}

/** A backspace before more text takes a character back, as spinners and counters use it. */
function withoutErased(text: string): string {
  const shown: string[] = [];
  let back = 0;
  for (const character of text) {
    if (character === '\b') back += 1;
    else {
      shown.length = Math.max(0, shown.length - back);
      shown.push(character);
      back = 0;
    }
  }
  return shown.join('');
}

export function toolLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => drawnLine(line).trim())
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
/** Never the cause of a failure, and it quotes a part of a password that contains `$`. */
const unset = /^The "[^"]*" variable is not set/;
const shownLines = 5;

/**
 * The reason of a failed command in one line: its last lines without progress, repetitions, and Compose's summary of an
 * error of the engine. should/box/17
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

const mostLines = 5;
const longestLine = 200;

/** The last lines of a log in one line. Secrets have to be masked before, because half a secret is not recognised. */
export function logEnd(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(-mostLines).map(shortened).join(' / ');
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line;
}
