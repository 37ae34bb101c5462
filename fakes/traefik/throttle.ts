/** Passes values on at most once per `intervalMs`: the first at once, then the latest when the interval is over. */
export type Throttle<T> = {
  push: (value: T) => void;
  /** Resolves when no value is waiting. */
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
