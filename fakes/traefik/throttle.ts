/**
 * Hands values on at most once in `intervalMs`: the first at once, of those that come meanwhile only the last, when
 * the interval is over.
 */
export type Throttle<T> = {
  push: (value: T) => void;
  /** Resolves when nothing waits. */
  empty: () => Promise<void>;
  close: () => void;
};

export function makeThrottle<T>(intervalMs: number, handOn: (value: T) => void): Throttle<T> {
  let timer: NodeJS.Timeout | undefined;
  let next: { value: T } | undefined;
  let waiters: (() => void)[] = [];

  const release = () => {
    timer = undefined;
    if (next === undefined) return;
    const { value } = next;
    next = undefined;
    pass(value);
    for (const resolve of waiters.splice(0)) resolve();
  };
  const pass = (value: T) => {
    handOn(value);
    timer = setTimeout(release, intervalMs);
  };
  return {
    push(value) {
      if (timer === undefined) pass(value);
      else next = { value };
    },
    empty: () => (next === undefined ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    close() {
      clearTimeout(timer);
      for (const resolve of waiters) resolve();
      waiters = [];
    },
  };
}
