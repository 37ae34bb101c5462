/** The update of the box software: versions, start, and the stages to the end, also while the server restarts. */

import { api } from '../api.js';
import { endText } from '../apps/outcomes.js';
import { announce, button, byId, setText } from '../dom.js';
import { pause } from '../poll.js';
import { makeStatusLine } from '../status-line.js';
import { makeProgress, showState } from './self-update-progress.js';
import { isFinal, isNews, ranForMs, resultJustNow, sentence, updateResult, versionAfter } from './self-update-view.js';

/** @import { Outcome, SelfUpdateState } from '../api.js' */
/** @import { Report, Status } from '../apps/operations.js' */
/** @import { Result } from '../apps/outcomes.js' */

const pollMs = 1000;

/** How often the page polls for an update that was started elsewhere. */
const idlePollMs = 5000;

/** How long an updater that was started may take to write its first state. */
const silenceMs = 120_000;

/** @param {string} pageVersion @param {(report: Report) => void} report */
export function makeSelfUpdate(pageVersion, report) {
  const view = makeView(pageVersion, report, {
    check: () => busy('Looking for a newer version', () => lookForUpdate(view)),
    apply: () => busy('Starting the update', startUpdate),
  });
  /** The latest state as JSON; empty before the first one. */
  let latest = '';
  let isBusy = false;
  let isFollowing = false;
  let wasPressed = false;

  /**
   * Runs one task at a time; the buttons are busy meanwhile.
   * @param {string} text
   * @param {() => Promise<void>} work
   */
  async function busy(text, work) {
    isBusy = true;
    for (const each of [view.check, view.apply]) each.setAttribute('aria-disabled', 'true');
    if (text) view.say({ kind: 'running', text, since: performance.now() });
    await work();
    for (const each of [view.check, view.apply]) each.setAttribute('aria-disabled', 'false');
    isBusy = false;
  }

  async function startUpdate() {
    const { state } = await readState();
    if (state !== null) latest = JSON.stringify(state);
    const outcome = await api.applySelfUpdate();
    if (outcome.kind === 'refused' && outcome.status !== 409) {
      return view.conclude('Update', outcome, { kind: 'refused', text: sentence(outcome.message) });
    }
    wasPressed = true;
    const isRunning = outcome.kind === 'refused';
    const text = isRunning ? 'An update is running already' : 'The update was started';
    view.conclude('Update', outcome, { kind: outcome.kind === 'lost' ? 'unknown' : 'done', text: `${text}.` });
    await follow(latest);
  }

  /** @param {string} before */
  async function follow(before) {
    isFollowing = true;
    view.reload.hidden = true;
    const end = await followToEnd(view, before);
    if (end !== null) {
      latest = JSON.stringify(end);
      await showEnd(view, end, wasPressed);
    }
    isFollowing = false;
  }

  /**
   * Follows a running update, even if it was started elsewhere. Shows the result of an update that ended unobserved.
   */
  async function look() {
    if (isBusy || (document.hidden && latest !== '')) return;
    const { state } = await readState();
    // If the owner pressed a button meanwhile, the next poll shows this state.
    if (isBusy || state === null) return;
    const before = latest;
    latest = JSON.stringify(state);
    if (!state.stage) return;
    if (!isFinal(state)) return busy('', () => follow(''));
    if (before === '') return showLast(view, state);
    if (before !== latest) return busy('', () => showEnd(view, state, wasPressed));
  }

  async function begin() {
    for (;;) {
      await look();
      await pause(latest === '' ? pollMs : idlePollMs);
    }
  }

  return { begin, isUpdating: () => isFollowing };
}

/** @typedef {ReturnType<typeof makeView>} View */

/**
 * @param {string} pageVersion
 * @param {(report: Report) => void} report
 * @param {{ check(): Promise<void>, apply(): Promise<void> }} pressed
 */
function makeView(pageVersion, report, pressed) {
  const status = makeStatusLine();
  byId('self-status').append(status.line);
  const check = button('Check for updates', 'quiet', pressed.check);
  const apply = button('Update the box', 'primary', pressed.apply);
  const reload = button('Reload the page', 'primary', () => reloadAfterUpdate('pressed'));
  apply.hidden = true;
  reload.hidden = true;
  byId('self-buttons').append(check, apply, reload);
  setText(byId('self-version'), pageVersion);

  /** @param {Status} shown */
  function say(shown) {
    status.show(shown);
    announce(`Box software: ${shown.text}`);
  }

  /** @param {string} what @param {Outcome<any>} outcome @param {Result} result */
  function conclude(what, outcome, result) {
    tell(`${what} (${endText(outcome)})`, outcome.kind === 'lost' ? undefined : outcome.body, result);
  }

  /** @param {string} line @param {unknown} body @param {Result} result */
  function tell(line, body, result) {
    say(result);
    const json = body === undefined ? {} : { json: JSON.stringify(body, null, 2) };
    report({ line, result: { ...result, text: `Box software: ${result.text}` }, ...json });
  }

  return { status, check, apply, reload, say, conclude, tell, pageVersion };
}

/**
 * Reads the state from the box, or while the box does not answer from the file that a proxy serves; `null` if neither
 * answers.
 * @returns {Promise<{ isReached: boolean, state: SelfUpdateState | null }>}
 */
async function readState() {
  const answer = await api.getSelfUpdateStatus();
  const isReached = answer.kind === 'done';
  const outcome = isReached ? answer : await api.getPublishedUpdateState();
  const isState = outcome.kind === 'done' && typeof outcome.body === 'object';
  return { isReached, state: isState ? outcome.body : null };
}

/** @param {View} view */
async function lookForUpdate({ apply, conclude }) {
  const outcome = await api.checkSelfUpdate();
  if (outcome.kind === 'lost') return conclude('Update check', outcome, { kind: 'unknown', text: outcome.message });
  if (outcome.kind === 'refused') {
    // Running without a feed is the owner's choice, so it is not an error.
    const kind = /^no release feed is configured/i.test(outcome.message) ? 'note' : 'refused';
    return conclude('Update check', outcome, { kind, text: sentence(outcome.message) });
  }
  const { current, latest, update_available: isAvailable } = outcome.body;
  setText(byId('self-version'), current);
  apply.hidden = !isAvailable;
  setText(apply, `Update to ${latest}`);
  const text = isAvailable
    ? `Version ${latest} is available. This page follows the update and comes back as the new version; apps keep running.`
    : `Version ${current} is the newest.`;
  conclude('Update check', outcome, { kind: 'done', text });
}

/**
 * @param {View} view
 * @param {string} before
 * @returns {Promise<SelfUpdateState | null>} the last state; null if the updater is silent
 */
async function followToEnd(view, before) {
  const showProgress = makeProgress(view.status);
  const began = performance.now();
  let since = began;
  let answeredAt = began;
  let isFirst = true;
  for (;;) {
    const { isReached, state } = await readState();
    const now = performance.now();
    const news = state && isNews(state, before) ? state : null;
    if (isReached) answeredAt = now;
    if (news && isFinal(news)) return news;
    if (isReached && !news && now - began > silenceMs) {
      view.say({
        kind: 'unknown',
        text: 'The updater was started but has not written its state for two minutes.',
        more: 'On the box, `journalctl -u boxgate-update` prints its log.',
      });
      return null;
    }
    if (news && isFirst) since -= Math.max(0, ranForMs(news) - (now - began));
    if (news) isFirst = false;
    showProgress(news, isReached, now - answeredAt, since);
    await pause(pollMs);
  }
}

/**
 * Shows the result of an update. If the running version differs from the page's version, reloads the page.
 * @param {View} view
 * @param {SelfUpdateState} state
 * @param {boolean} wasPressed
 */
async function showEnd(view, state, wasPressed) {
  const { apply, pageVersion } = view;
  const result = updateResult(state);
  if (!result) return;
  showState(state);
  if (state.stage === 'done') {
    if (document.activeElement === apply) view.check.focus();
    apply.hidden = true;
  }
  view.tell(`Update (${state.stage})`, state, result);
  const running = versionAfter(state) ?? pageVersion;
  if (running === pageVersion) return;
  setText(byId('self-version'), running);
  while (!(await api.isPageServed())) await pause(pollMs);
  if (!isInUse()) return reloadAfterUpdate(wasPressed ? 'pressed' : 'seen');
  view.reload.hidden = false;
  const more = `This page is still that of version ${pageVersion}, because something on it is open or unfinished. Reload it when that is done.`;
  view.status.show({ ...result, more });
  announce(more);
}

/** @param {View} view @param {SelfUpdateState} state */
function showLast(view, state) {
  const how = takeReloadNote();
  const result = how ? resultJustNow(state) : updateResult(state);
  if (!result) return;
  showState(state);
  if (!how) return view.status.show({ ...result, text: `Last time: ${result.text}` });
  view.tell(`Update (${state.stage})`, state, result);
  if (how === 'pressed') byId('self-title').focus();
}

/**
 * Whether a reload would lose something: an open form or question, typed text, a running operation, or the card of a
 * failed one, which offers its form again.
 */
function isInUse() {
  const kept = ':is(.cards, #update-all) div.status:is(.running, .refused, .partial, .unknown)';
  return document.querySelector(`dialog, #search:focus, ${kept}`) !== null;
}

/**
 * Loads the page again. Writes a note about the reload into the history entry, which survives the reload and belongs
 * to this tab.
 * @param {'pressed' | 'seen'} how whether the update was started on this page
 */
function reloadAfterUpdate(how) {
  history.replaceState({ afterUpdate: how }, '');
  location.reload();
}

/**
 * Reads and removes the note that the page left before it reloaded itself; undefined without one.
 * @returns {'pressed' | 'seen' | undefined}
 */
function takeReloadNote() {
  const how = history.state?.afterUpdate;
  if (how) history.replaceState(null, '');
  return how;
}
