import { createHash } from 'node:crypto';

/** 64 hexadecimal digits that follow from the text alone. */
export function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
