const minuteMs = 60_000;
const longestMinutes = 30;

/** The delay after this many retries: 1 minute, 2, 4 … 30 minutes. choice/box/278 */
export function retryDelayMs(tries: number): number {
  return Math.min(2 ** tries, longestMinutes) * minuteMs;
}
