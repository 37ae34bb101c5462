import type { KeyObject } from 'node:crypto';
import type { Keys } from './arguments.ts';
import { ReleaseFailed } from './failure.ts';
import type { Signing } from './feed.ts';
import { readPrivateKey } from './keys.ts';

const validMs = 180 * 24 * 60 * 60 * 1000;

/** Reads the next key and computes the dates for signing. Throws ReleaseFailed. */
export function signingOf(keys: Keys, key: KeyObject, issued: Date): Signing {
  const expires = keys.expires ?? new Date(issued.getTime() + validMs);
  if (expires <= issued) {
    throw new ReleaseFailed(
      `--expires ${expires.toISOString()} is not after ${issued.toISOString()}, when the statements are issued`,
    );
  }
  const nextKey = keys.nextKey === undefined ? undefined : readPrivateKey(keys.nextKey);
  return { key, nextKey, issued, expires };
}

/** SOURCE_DATE_EPOCH in seconds since 1970; `undefined` if it is not set. Throws ReleaseFailed. */
export function sourceTime(environment: NodeJS.ProcessEnv): number | undefined {
  const value = environment.SOURCE_DATE_EPOCH;
  if (value === undefined || value === '') return undefined;
  if (!/^\d{1,10}$/.test(value)) {
    throw new ReleaseFailed(`SOURCE_DATE_EPOCH is ${value}, expected seconds since 1970`);
  }
  return Number(value);
}
