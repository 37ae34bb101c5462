/** Runs jobs one at a time in the order in which they were handed in; a job that fails holds up nobody. */
export type Queue = <T>(job: () => Promise<T>) => Promise<T>;

/** A new queue, first come first served within this process. */
export function makeQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const turn = last.then(job);
    // The failure belongs to whoever handed the job in; the next job only waits for the end of it.
    last = turn.catch(() => undefined);
    return turn;
  };
}
