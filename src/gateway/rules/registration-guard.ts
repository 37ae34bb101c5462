/** Failures of one address within the minute that began with the first one. */
type Failures = { since: number; count: number };

export type RegistrationGuard = ReturnType<typeof makeRegistrationGuard>;

const minuteMs = 60_000;
const freeFailures = 10;
const stepMs = 100;
const longestMs = 1000;

/**
 * Slows down guessing of the registration token. After ten failures a minute from one address, each further answer is
 * delayed, up to a second. It never refuses, because other users may share the address. The number of addresses is
 * bounded; the one whose minute began first is dropped.
 * choice/gateway/36
 */
export function makeRegistrationGuard(maxAddresses = 10_000) {
  const byAddress = new Map<string, Failures>();
  return {
    /** Counts a failed registration of an address. @returns the delay of its answer in milliseconds */
    failed(address: string, now: number): number {
      const failures = byAddress.get(address);
      if (failures === undefined || Math.abs(now - failures.since) >= minuteMs) {
        byAddress.delete(address); // A Map keeps the order of insertion, so its first key is the oldest.
        byAddress.set(address, { since: now, count: 1 });
        if (byAddress.size > maxAddresses) byAddress.delete(byAddress.keys().next().value as string);
        return 0;
      }
      failures.count += 1;
      return Math.min(longestMs, Math.max(0, failures.count - freeFailures) * stepMs);
    },
  };
}
