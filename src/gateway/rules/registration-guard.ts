/** Who failed how often within the minute that began with the first failure. */
type Failures = { since: number; count: number };

export type RegistrationGuard = {
  /** Counts a failed registration of an address and says how many milliseconds its answer has to wait. */
  failed(address: string, now: number): number;
};

const minuteMs = 60_000;
const freeFailures = 10;
const stepMs = 100;
const longestMs = 1000;

/**
 * Slows down who guesses the registration token: after ten failures a minute from one address each further one is
 * answered later, up to a second. Nobody is ever refused for it, so that a neighbour behind the same address is not
 * locked out. It remembers a bounded number of addresses and forgets the one that has gone longest without a new
 * minute.
 * choice/gateway/36
 */
export function makeRegistrationGuard(maxAddresses = 10_000): RegistrationGuard {
  const byAddress = new Map<string, Failures>();
  return {
    failed(address, now) {
      const failures = byAddress.get(address);
      if (failures === undefined || Math.abs(now - failures.since) >= minuteMs) {
        begin(byAddress, address, now, maxAddresses);
        return 0;
      }
      failures.count += 1;
      return Math.min(longestMs, Math.max(0, failures.count - freeFailures) * stepMs);
    },
  };
}

/** Puts the address last: a map keeps its order, so that the first one is the oldest. */
function begin(byAddress: Map<string, Failures>, address: string, now: number, maxAddresses: number): void {
  byAddress.delete(address);
  byAddress.set(address, { since: now, count: 1 });
  if (byAddress.size > maxAddresses) byAddress.delete(byAddress.keys().next().value as string);
}
