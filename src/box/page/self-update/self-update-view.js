/** The page's texts about the update of the box software, made from the state that the updater publishes. */
import { withLines } from '../apps/outcomes.js';
import { localNumber } from '../local-text.js';

/** @import { SelfUpdateState } from '../api.js' */
/** @import { Result } from '../apps/outcomes.js' */

/** The stages on the way to `done`, in their order, in the page's words. */
const updateStages = /** @type {const} */ ([
  ['checking', 'Looking for the release'],
  ['downloading', 'Downloading'],
  ['verifying', 'Checking the signature'],
  ['staging', 'Unpacking'],
  ['switching', 'Switching over'],
  ['restarting', 'Restarting the box software'],
  ['health_check', 'Checking that the new version answers'],
]);

/** The command that prints the log of an update, for the owner to run on the box. */
const logCommand = '`journalctl -u boxgate-update`';

const dayMs = 86_400_000;

/** box/update-state/6 @param {SelfUpdateState} state */
export function isFinal(state) {
  return state.stage === 'done' || state.stage === 'rolled_back';
}

/**
 * Whether a state belongs to the followed update: a final state from before its start belongs to an earlier one.
 * @param {SelfUpdateState} state
 * @param {string} before the state before the start, as JSON
 */
export function isNews(state, before) {
  return Boolean(state.stage) && !(isFinal(state) && JSON.stringify(state) === before);
}

/**
 * The version that runs after an update; undefined if its state does not name it.
 * @param {SelfUpdateState} state a final one
 */
export function versionAfter(state) {
  return state.stage === 'done' ? state.to : state.from;
}

/**
 * How long an update ran when its state was written, in milliseconds; 0 if the state's times do not say. Both times are
 * of the box's clock, because the clock of the browser may differ.
 * @param {SelfUpdateState} state
 */
export function ranForMs({ started_at: started, updated_at: updated }) {
  const ms = Date.parse(updated ?? '') - Date.parse(started ?? '');
  return ms > 0 && ms < dayMs ? ms : 0;
}

/** @param {SelfUpdateState} state @returns {Result | null} null when no update was ever attempted */
export function updateResult(state) {
  if (!state.stage) return null;
  const versions = versionsText(state);
  if (state.stage === 'done') {
    if (state.outcome === 'unchanged')
      return { kind: 'done', text: sentence(state.message || 'there was nothing to update.') };
    return { kind: 'done', text: `The update${versions} is done.`, more: 'Apps were not touched.' };
  }
  if (state.stage === 'rolled_back') {
    const explained = state.reason === 'interrupted' ? state.message : undefined;
    const reason = explained || state.reason || 'no reason was given';
    // Without a message, it is unknown whether the old version has answered after the roll-back.
    const isBack = state.outcome !== 'reverted' || Boolean(state.message);
    // The past tense: another version may have been installed by hand since.
    const ran = state.from && isBack ? `The old version ${state.from} ran afterwards. ` : '';
    return {
      ...withLines('refused', `The update${versions} was rolled back:`, reason),
      more: `${ran}Apps were not touched. To try again, press “Check for updates”. On the box, ${logCommand} prints the update’s log.`,
    };
  }
  return { kind: 'running', text: stageText(state), more: runningMore(state) };
}

/** The result of an update, for the reloaded page of the new version. @param {SelfUpdateState} state */
export function resultJustNow(state) {
  const result = updateResult(state);
  const versions = versionsText(state);
  if (state.stage !== 'done' || versions === '') return result;
  return { ...result, kind: /** @type {const} */ ('done'), text: `Updated${versions} just now.` };
}

/** @param {SelfUpdateState} state */
function versionsText({ from, to }) {
  return from && to && from !== to ? ` from ${from} to ${to}` : '';
}

/** @param {SelfUpdateState} state */
function stageText(state) {
  const numbers = state.stage === 'downloading' ? downloadText(state) : '';
  return `${stageLabel(state)}${numbers && ` (${numbers})`}`;
}

/** @param {SelfUpdateState} state */
export function stageLabel({ stage }) {
  return updateStages.find(([name]) => name === stage)?.[1] ?? stage ?? '';
}

/** @param {SelfUpdateState} state */
function downloadText({ bytes, bytes_total: total, progress }) {
  if (typeof bytes === 'number' && typeof total === 'number' && total > 0) {
    return `${megabytes(bytes)} of ${megabytes(total)} MB, ${Math.floor((100 * bytes) / total)} %`;
  }
  return typeof progress === 'number' ? `${Math.floor(progress * 100)} %` : '';
}

/** @param {number} bytes */
function megabytes(bytes) {
  return localNumber(bytes / 1e6, 1);
}

/** @param {SelfUpdateState} state */
function runningMore(state) {
  const next = stageList(state).find(({ place }) => place === 'ahead');
  const sentences = [
    state.message ? `${sentence(state.message).replace(/\.$/, '')}.` : '',
    next ? `Next: ${next.label.charAt(0).toLowerCase()}${next.label.slice(1)}.` : '',
    'Apps keep running, and the update goes on if you leave this page.',
  ];
  return sentences.filter(Boolean).join(' ');
}

/**
 * The text while the box does not answer and its state is not published; `silentMs` since its last answer.
 * @param {number} silentMs
 */
export function awayText(silentMs) {
  if (silentMs < 60_000) return 'The box does not answer while it restarts';
  return `The box has not answered for ${Math.floor(silentMs / 60_000)} min, which is longer than a restart takes`;
}

/**
 * The stages with the place of the current one; empty once the update ended, or at a stage that the page does not know.
 * @param {SelfUpdateState} state
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

/**
 * The link to what is new in the version of an update. Only an `https` address becomes a link: the state is read from a
 * file, and an address of another scheme could run a script.
 * @param {SelfUpdateState} state
 */
export function changelogLink({ changelog, to }) {
  if (typeof changelog !== 'string' || !/^https:\/\/\S+$/.test(changelog)) return null;
  return { href: changelog, text: to ? `What is new in version ${to}` : 'What is new' };
}

/** @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
