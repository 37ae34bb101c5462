import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppDirectories } from '../ports.ts';

export const appDirectories: AppDirectories = {
  isSame: isSameDirectory,
  isRemoved: (directory) => directory !== null && isMissing(directory) && existsSync(dirname(directory)),
};

export function isSameDirectory(one: string | null, other: string): boolean {
  if (one === null || one === other) return one !== null;
  try {
    const [left, right] = [statSync(one), statSync(other)];
    return left.dev === right.dev && left.ino === right.ino;
  } catch {
    return false;
  }
}

/** `false` if that cannot be seen: the heartbeat's unit cannot read other users' folders. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
