/**
 * Lets many who want the same work done share its runs: each call settles with a whole run that began after the
 * call. While one run is under way all further calls wait for one more, so that there are never more than two.
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
    if (next !== null) return next; // It has not begun.
    if (running === null) return start();
    // A run that failed belongs to those who waited for it; the next one begins all the same.
    next = running.then(startNext, startNext);
    return next;
  };
}
