const mostLines = 5;
const longestLine = 200;

/**
 * The last lines of a log, joined in one line. Secrets must be masked before, because half a secret would not be
 * recognised.
 * choice/box/275
 */
export function logEnd(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(-mostLines).map(shortened).join(' / ');
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line;
}
