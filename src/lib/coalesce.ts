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
