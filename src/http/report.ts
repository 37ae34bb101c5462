import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

/** Writes an unexpected error to standard error under a new id, which it returns. */
export function reportFault(error: unknown): string {
  const id = randomBytes(6).toString('hex');
  process.stderr.write(`internal error (${id}): ${inspect(error)}\n`);
  return id;
}
