/** The update of the box software: versions, start, and the stages to the end, also while the server restarts. */
import { button, byId, element, setText } from './dom.js';
import { isFinal, isNews, stageList, updateResult } from './self-update-view.js';
import { makeStatusLine } from './status-line.js';

const pollMs = 1000;

/** How long an updater that was started may take to say its first word. */
const silenceMs = 120_000;

/**
 * @param {import('./api.js').Api} api
 * @param {string} pageVersion
 * @param {Pick<import('./operations.js').Stage, 'announce' | 'report'>} stage
 */
export function makeSelfUpdate(api, pageVersion, stage) {
  const status = makeStatusLine();
  byId('self-status').append(status.line);
  const check = button('Check for updates', 'quiet', () =>
    busy('Looking for a newer version', lookForUpdate),
  );
  const apply = button('Update the box', 'primary', () => busy('Starting the update', startUpdate));
  const reload = button('Reload the page', 'primary', () => location.reload());
  apply.hidden = true;
  reload.hidden = true;
  byId('self-buttons').append(check, apply, reload);
  setText(byId('self-version'), pageVersion);

  /**
   * Runs one thing at a time; the buttons wait.
   * @param {string} text
   * @param {() => Promise<void>} work
   */
  async function busy(text, work) {
    for (const each of [check, apply]) each.setAttribute('aria-disabled', 'true');
    if (text) say({ kind: 'running', text, since: performance.now() });
    await work();
    for (const each of [check, apply]) each.setAttribute('aria-disabled', 'false');
  }

  /** @param {import('./operations.js').Status} shown */
  function say(shown) {
    status.show(shown);
    stage.announce(`Box software: ${shown.text}`);
  }

  /**
   * @param {string} what
   * @param {import('./api.js').Outcome<any>} outcome
   * @param {import('./outcomes.js').Result} result
   */
  function conclude(what, outcome, result) {
    say(result);
    const answer = outcome.kind === 'lost' ? 'no answer' : `status ${outcome.status}`;
    const json = outcome.kind === 'lost' ? {} : { json: JSON.stringify(outcome.body, null, 2) };
    stage.report({
      line: `${what} (${answer})`,
      result: { ...result, text: `Box software: ${result.text}` },
      ...json,
    });
  }

  async function lookForUpdate() {
    const outcome = await api.checkSelfUpdate();
    if (outcome.kind === 'lost')
      return conclude('Update check', outcome, { kind: 'unknown', text: outcome.message });
    if (outcome.kind === 'refused') {
      // A box without a feed is as its owner set it up.
      const isSetUpSo = /^no release feed is configured/i.test(outcome.message);
      return conclude('Update check', outcome, {
        kind: isSetUpSo ? 'note' : 'refused',
        text: sentence(outcome.message),
      });
    }
    const { current, latest, update_available: isAvailable } = outcome.body;
    setText(byId('self-version'), current);
    apply.hidden = !isAvailable;
    setText(apply, `Update to ${latest}`);
    const text = isAvailable
      ? `Version ${latest} is available. The page is away for a moment while the box software restarts; apps go on running.`
      : `Version ${current} is the newest.`;
    conclude('Update check', outcome, { kind: 'done', text });
  }

  async function startUpdate() {
    const before = await api.getSelfUpdateStatus();
    const outcome = await api.applySelfUpdate();
    if (outcome.kind === 'refused' && outcome.status !== 409) {
      return conclude('Update', outcome, {
        kind: 'refused',
        text: sentence(outcome.message),
      });
    }
    const isRunning = outcome.kind === 'refused';
    const text = isRunning ? 'An update is running already' : 'The update was started';
    conclude('Update', outcome, { kind: outcome.kind === 'lost' ? 'unknown' : 'done', text: `${text}.` });
    await follow(before.kind === 'done' ? JSON.stringify(before.body) : '');
  }

  /**
   * Shows the stages until the last one.
   * @param {string} before
   */
  async function follow(before) {
    const since = performance.now();
    let lastAnswer = since;
    let shownText = '';
    for (;;) {
      const outcome = await api.getSelfUpdateStatus();
      const now = performance.now();
      const state = outcome.kind === 'done' && isNews(outcome.body, before) ? outcome.body : null;
      if (outcome.kind === 'done') lastAnswer = now;
      if (state && isFinal(state)) return showEnd(state);
      if (outcome.kind === 'done' && !state && now - since > silenceMs) {
        return say({
          kind: 'unknown',
          text: 'The updater was started but has not said anything. Its log is on the box.',
        });
      }
      const text = state ? updateResult(state)?.text : waitingText(outcome, now - lastAnswer);
      if (text && text !== shownText) {
        status.show({ kind: 'running', text, since });
        if (state) stage.announce(`Box software: ${text}`);
        shownText = text;
      }
      if (state) showStages(state);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** @param {import('./api.js').SelfUpdateState} state */
  function showEnd(state) {
    showStages(state);
    const result = updateResult(state);
    if (!result) return;
    say(result);
    const isNewer = state.stage === 'done' && typeof state.to === 'string' && state.to !== pageVersion;
    if (isNewer) setText(byId('self-version'), state.to ?? '');
    reload.hidden = !isNewer;
    if (state.stage === 'done') apply.hidden = true;
    stage.report({
      line: `Update (${state.stage})`,
      result: { ...result, text: `Box software: ${result.text}` },
      json: JSON.stringify(state, null, 2),
    });
  }

  /** @param {import('./api.js').SelfUpdateState} state */
  function showStages(state) {
    const places = { past: '✓', now: '▸', ahead: '·' };
    const items = stageList(state).map(({ label, place }) =>
      element('li', {
        class: place,
        text: `${places[place]} ${label}`,
        attributes: place === 'now' ? { 'aria-current': 'step' } : {},
      }),
    );
    byId('self-stages').replaceChildren(...items);
    byId('self-stages').hidden = items.length === 0;
  }

  /** Takes up an update that runs already, and tells how the last one ended. */
  async function begin() {
    const outcome = await api.getSelfUpdateStatus();
    if (outcome.kind !== 'done') return;
    const result = updateResult(outcome.body);
    if (result?.kind === 'running') return busy('', () => follow(''));
    if (result) status.show({ ...result, text: `Last time: ${result.text}` });
  }

  return { begin, tick: status.tick };
}

/**
 * @param {import('./api.js').Outcome<any>} outcome
 * @param {number} silentMs
 */
function waitingText(outcome, silentMs) {
  if (outcome.kind === 'done') return 'Waiting for the updater';
  if (silentMs < 60_000) return 'The box does not answer while it restarts';
  return `The box has not answered for ${Math.floor(silentMs / 60_000)} min, which is longer than a restart takes`;
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
