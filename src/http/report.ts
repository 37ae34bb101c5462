import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { shownText } from '../lib/shown-text.ts';

/** Writes an error to standard error under a new id, which it returns. Indented lines look like no entry of the log. */
export function reportFault(error: unknown): string {
  const id = randomBytes(6).toString('hex');
  const text = shownText(inspect(error)).replaceAll('\n', '\n    ');
  process.stderr.write(`internal error (${id}): ${text}\n`);
  return id;
}
