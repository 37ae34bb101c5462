/** Polls the box while the page is visible. */

const everyMs = 1000;
const slowestMs = 5000;

/**
 * Starts polling, one request at a time. Returns the function to call when the page becomes visible.
 * @param {() => Promise<boolean>} look resolves to whether the box answered
 * @param {() => boolean} isVisible
 */
export function startPolling(look, isVisible) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isLooking = false;
  let failures = 0;
  async function turn() {
    if (isLooking || !isVisible()) return;
    clearTimeout(timer);
    isLooking = true;
    const began = performance.now();
    failures = (await look()) ? 0 : failures + 1;
    isLooking = false;
    timer = setTimeout(turn, pauseMs(failures, performance.now() - began));
  }
  void turn();
  return () => void turn();
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * The pause after a poll: longer if the box does not answer or answers slowly.
 * @param {number} failures
 * @param {number} tookMs
 */
export function pauseMs(failures, tookMs) {
  return Math.min(slowestMs, Math.max(everyMs * 2 ** Math.max(0, failures - 1), 4 * tookMs));
}
