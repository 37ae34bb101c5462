import assert from 'node:assert/strict';
import { UsageError } from '../usage-error.ts';

/** The message about a wrong setting. */
export function problemOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return assert.fail('nothing was wrong');
}
