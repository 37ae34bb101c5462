import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

/** Writes an unexpected fault whole to standard error, and returns its id in that text. */
export function reportFault(error: unknown): string {
  const id = randomBytes(6).toString('hex');
  process.stderr.write(`internal error (${id}): ${inspect(error)}\n`);
  return id;
}
