/** Reloads the page after an update, so that the page matches the new version. */
import { api } from '../api.js';
import { pause } from '../poll.js';

const servedMs = 1000;

/**
 * Whether a reload would lose something: an open form or question, typed text, a running operation, or the card of a
 * failed one, which offers its form again.
 */
export function isInUse() {
  const kept = ':is(.cards, #update-all) div.status:is(.running, .refused, .partial, .unknown)';
  return document.querySelector(`dialog, #search:focus, ${kept}`) !== null;
}

/** Resolves once the box serves its page. */
export async function untilServed() {
  while (!(await api.isPageServed(location.pathname))) await pause(servedMs);
}

/**
 * Loads the page again. Writes a note about the reload into the history entry, which survives the reload and belongs
 * to this tab.
 * @param {'pressed' | 'seen'} how whether the update was started on this page
 */
export function reloadAfterUpdate(how) {
  history.replaceState({ afterUpdate: how }, '');
  location.reload();
}

/**
 * Reads and removes the note that the page left before it reloaded itself; undefined without one.
 * @returns {'pressed' | 'seen' | undefined}
 */
export function takeReloadNote() {
  const how = history.state?.afterUpdate;
  if (how) history.replaceState(null, '');
  return how;
}
