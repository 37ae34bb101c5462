/** The progress of a running update of the box software, and the link to its changelog. */

import { elapsedText } from '../apps/model.js';
import { announce, byId, element, redraw } from '../dom.js';
import { awayText, changelogLink, stageLabel, stageList, updateResult } from './self-update-view.js';

/** @import { SelfUpdateState } from '../api.js' */
/** @import { makeStatusLine } from '../status-line.js' */

/** The interval of announcements to screen readers; the visible text changes every second. */
const reminderMs = 60_000;

/**
 * Makes the function that shows how far the update is. It announces each stage once, then its duration once a minute.
 * @param {ReturnType<typeof makeStatusLine>} status
 */
export function makeProgress(status) {
  let shown = '';
  let spoken = '';
  let spokenAt = performance.now();

  /**
   * @param {SelfUpdateState | null} state of this update; `null` before its first state, or if nothing answers
   * @param {boolean} isReached whether the box answered
   * @param {number} silentMs since its last answer
   * @param {number} since when the update began
   */
  return (state, isReached, silentMs, since) => {
    const now = performance.now();
    const { text, more } = progressText(state, isReached, silentMs);
    if (text + more !== shown) status.show({ kind: 'running', text, more, since });
    shown = text + more;
    if (state) showState(state);
    const label = state ? stageLabel(state) : spoken;
    const isDue = now - spokenAt > reminderMs;
    if (label === spoken && !isDue) return;
    announce(`Box software: ${isDue ? `${text}, ${elapsedText(now - since)} so far` : label}`);
    spoken = label;
    spokenAt = now;
  };
}

/** @param {SelfUpdateState | null} state @param {boolean} isReached @param {number} silentMs */
function progressText(state, isReached, silentMs) {
  const away = isReached ? '' : awayText(silentMs);
  const { text, more = '' } = (state && updateResult(state)) ?? { text: away || 'Waiting for the updater' };
  return { text, more: state && away ? `${more} ${away}; this page follows the update meanwhile.` : more };
}

/** Shows the stages, unless the update has ended, and the link to what is new. @param {SelfUpdateState} state */
export function showState(state) {
  const list = byId('self-stages');
  const places = { past: '✓', now: '▸', ahead: '·' };
  const stages = stageList(state);
  redraw(list, [state.stage], () =>
    stages.map(({ label, place }) =>
      element('li', {
        class: place,
        text: `${places[place]} ${label}`,
        'aria-current': place === 'now' ? 'step' : undefined,
      }),
    ),
  );
  list.toggleAttribute('hidden', stages.length === 0);
  const place = byId('self-changelog');
  const link = changelogLink(state);
  place.toggleAttribute('hidden', link === null);
  const { href = '', text = '' } = link ?? {};
  const attributes = { href, target: '_blank', rel: 'noopener noreferrer', 'aria-label': `${text}, in a new tab` };
  redraw(place, [href, text], () => [element('a', { text, ...attributes })]);
}
