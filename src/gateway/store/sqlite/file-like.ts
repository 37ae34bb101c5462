import { closeSync, openSync } from 'node:fs';
import { giveToOwner } from '../../../lib/files/owner.ts';

/** Makes an empty file that only the owner of `like` can read, also if this is root. */
export function makeFileLike(path: string, flags: 'a' | 'wx', like: string): void {
  const descriptor = openSync(path, flags, 0o600);
  try {
    giveToOwner(descriptor, like);
  } finally {
    closeSync(descriptor);
  }
}
