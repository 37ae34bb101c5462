/**
 * Shares runs of the same work between calls. Each call settles with a run that began after the call. During a run, all
 * further calls share the next one.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    const run = work().finally(() => {
      running = null;
    });
    running = run;
    return run;
  };
  const startNext = (): Promise<void> => {
    next = null;
    return start();
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return start();
    // The next run starts even if this one fails.
    next = running.then(startNext, startNext);
    return next;
  };
}

/**
 * Makes a call that runs a task in the background, and once more if it is called meanwhile.
 * @param failed - gets the message of a failure, unless the run before failed with the same
 */
export function again(task: () => Promise<void>, failed: (message: string) => void): () => void {
  let told = '';
  const run = coalesce(async () => {
    const message = await task().then(
      () => '',
      (error: Error) => error.message,
    );
    if (message !== told && message !== '') failed(message);
    told = message;
  });
  return () => void run();
}
