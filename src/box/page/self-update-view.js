/** What the page says about the update of the box software, worked out from the state the updater publishes. */

/** The stages on the way to `done`, in their order, in the page's words. */
export const updateStages = /** @type {const} */ ([
  ['checking', 'Looking for the release'],
  ['downloading', 'Downloading'],
  ['verifying', 'Checking the signature'],
  ['staging', 'Unpacking'],
  ['switching', 'Switching over'],
  ['restarting', 'Restarting the box software'],
  ['health_check', 'Checking that the new version answers'],
]);

/**
 * box/update-state/6
 * @param {import('./api.js').SelfUpdateState} state
 */
export function isFinal(state) {
  return state.stage === 'done' || state.stage === 'rolled_back';
}

/**
 * Whether a state tells of the update that is followed: an end that was there before the start is that of an earlier
 * one.
 * @param {import('./api.js').SelfUpdateState} state
 * @param {string} before the state before the start, as JSON
 */
export function isNews(state, before) {
  return Boolean(state.stage) && !(isFinal(state) && JSON.stringify(state) === before);
}

/**
 * @param {import('./api.js').SelfUpdateState} state
 * @returns {import('./outcomes.js').Result | null} null when no update was ever attempted
 */
export function updateResult(state) {
  if (!state.stage) return null;
  const versions =
    state.from && state.to && state.from !== state.to ? ` from ${state.from} to ${state.to}` : '';
  if (state.stage === 'done') {
    if (state.outcome === 'unchanged')
      return { kind: 'done', text: state.message || 'There was nothing to update.' };
    return { kind: 'done', text: `The update${versions} is done.` };
  }
  if (state.stage === 'rolled_back') {
    const reason = state.reason ?? 'no reason was given';
    return { kind: 'refused', text: `The update${versions} was rolled back: ${reason}` };
  }
  return { kind: 'running', text: stageText(state) };
}

/** @param {import('./api.js').SelfUpdateState} state */
function stageText(state) {
  const known = updateStages.find(([stage]) => stage === state.stage);
  const percent =
    state.stage === 'downloading' && typeof state.progress === 'number'
      ? ` (${Math.floor(state.progress * 100)} %)`
      : '';
  return `${known ? known[1] : (state.stage ?? '')}${percent}`;
}

/**
 * The stages with the place of the current one; empty once the update ended, or at a stage nobody told the page of.
 * @param {import('./api.js').SelfUpdateState} state
 * @returns {{ label: string, place: 'past' | 'now' | 'ahead' }[]}
 */
export function stageList(state) {
  const current = updateStages.findIndex(([stage]) => stage === state.stage);
  if (current < 0) return [];
  return updateStages.map(([, label], index) => ({
    label,
    place: index < current ? 'past' : index === current ? 'now' : 'ahead',
  }));
}
