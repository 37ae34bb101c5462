export type BackOff = { firstMs: number; mostMs: number };

/** The wait after a number of failed attempts: doubled for each, up to `mostMs`. */
export function backOffMs(attempts: number, { firstMs, mostMs }: BackOff): number {
  return Math.min(mostMs, firstMs * 2 ** Math.max(0, attempts - 1));
}
