/**
 * The progress of a running update of the box software, and the link to its changelog.
 */

import { elapsedText } from '../apps/model.js';
import { byId, element, redraw, setHidden } from '../dom.js';
import { awayText, changelogLink, stageLabel, stageList, updateResult } from './self-update-view.js';

/** @import { SelfUpdateState } from '../api.js' */
/** @import { makeStatusLine } from '../status-line.js' */

/** The interval of announcements to screen readers; the visible text changes every second. */
const reminderMs = 60_000;

/**
 * @typedef {object} Progress
 * @property {SelfUpdateState | null} state of this update; null before its first state, or if
 * nothing answers
 * @property {boolean} isReached whether the box answered
 * @property {number} silentMs since its last answer
 * @property {number} since when the update began
 */

/** @param {ReturnType<typeof makeStatusLine>} status @param {(text: string) => void} announce */
export function makeProgress(status, announce) {
  let shown = '';
  let spoken = '';
  let spokenAt = performance.now();

  /**
   * Shows the progress of the update. Announces each stage once, then its duration once a minute.
   * @param {Progress} progress
   */
  function show({ state, isReached, silentMs, since }) {
    const now = performance.now();
    const { text, more } = progressText(state, isReached, silentMs);
    if (text + more !== shown) status.show({ kind: 'running', text, more, since });
    shown = text + more;
    if (state) showStages(state);
    if (state) showChangelog(state);
    const label = state ? stageLabel(state) : spoken;
    const isDue = now - spokenAt > reminderMs;
    if (label === spoken && !isDue) return;
    announce(`Box software: ${isDue ? `${text}, ${elapsedText(now - since)} so far` : label}`);
    spoken = label;
    spokenAt = now;
  }

  return { show };
}

/**
 * @param {SelfUpdateState | null} state
 * @param {boolean} isReached
 * @param {number} silentMs
 */
function progressText(state, isReached, silentMs) {
  const away = isReached ? '' : awayText(silentMs);
  const { text, more = '' } = (state && updateResult(state)) ?? { text: away || 'Waiting for the updater' };
  return { text, more: state && away ? `${more} ${away}; this page follows the update meanwhile.` : more };
}

/**
 * A finished update shows no list of stages.
 * @param {SelfUpdateState} state
 */
export function showStages(state) {
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
  setHidden(list, stages.length === 0);
}

/** @param {SelfUpdateState} state */
export function showChangelog(state) {
  const place = byId('self-changelog');
  const link = changelogLink(state);
  setHidden(place, link === null);
  const { href = '', text = '' } = link ?? {};
  const attributes = { href, target: '_blank', rel: 'noopener noreferrer', 'aria-label': `${text}, in a new tab` };
  redraw(place, [href, text], () => [element('a', { text, ...attributes })]);
}
