/** Runs jobs one at a time in the order in which they were handed in; a job that fails holds up nobody. */
export type Queue = {
  <T>(job: () => Promise<T>): Promise<T>;
  /** Number of jobs that wait or run. */
  waiting(): number;
};

/** As many jobs wait as may: this one was not taken. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * A new queue, first come first served within this process. Jobs hold what they were asked with, so that a queue
 * without a limit could fill the memory: beyond `limit`, the running one counted, a job fails with QueueFull.
 */
export function makeQueue(limit = Number.POSITIVE_INFINITY): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const queue = async <T>(job: () => Promise<T>): Promise<T> => {
    if (waiting >= limit) throw new QueueFull(`${waiting} jobs are waiting`);
    waiting += 1;
    const turn = last.then(job);
    // The caller gets the failure; the next job only waits until this one has ended.
    last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  };
  return Object.assign(queue, { waiting: () => waiting });
}
