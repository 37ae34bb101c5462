/** How long the first wait is and how long no wait is exceeded. */
export type BackOff = { firstMs: number; mostMs: number };

/** The wait after `attempts` that failed in a row: doubled each time, up to the longest one. */
export function backOffMs(attempts: number, { firstMs, mostMs }: BackOff): number {
  return Math.min(mostMs, firstMs * 2 ** Math.max(0, attempts - 1));
}
