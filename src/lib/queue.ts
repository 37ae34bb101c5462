/** Runs jobs one at a time in the order of their arrival. A job that fails does not hold up the next. */
export type Queue = {
  <T>(job: () => Promise<T>): Promise<T>;
  /** Number of jobs that wait or run. */
  waiting(): number;
};

/** The queue is full: the job was not taken. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * A new queue, first come first served within this process. Each waiting job holds its input, so a queue without a
 * limit could fill the memory. A job beyond `limit`, the running one included, fails with QueueFull.
 */
export function makeQueue(limit = Number.POSITIVE_INFINITY): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const queue = async <T>(job: () => Promise<T>): Promise<T> => {
    if (waiting >= limit) throw new QueueFull(`${waiting} jobs are waiting`);
    waiting += 1;
    const turn = last.then(job);
    // The caller gets the failure. The next job only waits until this one has ended.
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
