import { shownName } from './shown-text.ts';

/** Writes one line to standard error, which is the journal. Names in it cannot begin another line. */
export function logLine(text: string): void {
  process.stderr.write(`${shownName(text)}\n`);
}
