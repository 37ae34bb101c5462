/** "Update all": every app with a newer version in the catalogue, one after the other. */
import { button, byId, element, setHidden, setText } from '../dom.js';
import { makeStatusLine } from '../status-line.js';
import { runOperation } from './operations.js';
/** @import { App } from './model.js' */
/** @import { AppResult, Operation, Stage } from './operations.js' */
/** @import { Result } from './outcomes.js' */

/** @param {Stage} stage @param {(app: App) => Operation} updateOf */
export function makeUpdateAll(stage, updateOf) {
  /** @type {App[]} */
  let waiting = [];
  let isRunning = false;
  let isStopped = false;
  const status = makeStatusLine();
  const all = button('Update all', 'primary small', () => void run(waiting));
  const stop = button('Stop after this app', 'quiet small', () => {
    isStopped = true;
    stop.setAttribute('aria-disabled', 'true');
  });
  const count = element('span', {});
  byId('updates').append(count, all, stop);
  byId('update-all').append(status.line);

  function showButtons() {
    setText(count, waiting.length < 2 && !isRunning ? '' : updatesText(waiting.length));
    setHidden(all, isRunning || waiting.length < 2);
    setHidden(stop, !isRunning);
  }

  /** @param {App[]} apps */
  async function run(apps) {
    isRunning = true;
    isStopped = false;
    const { report, updateOne } = makeUpdates(stage, updateOf);
    stop.setAttribute('aria-disabled', 'false');
    showButtons();
    stop.focus();
    const since = performance.now();
    /** @type {AppResult[]} */
    const results = [];
    for (const [index, app] of apps.entries()) {
      if (isStopped) break;
      const text = `Updating ${index + 1} of ${apps.length}: ${app.title}. Keep this page open`;
      status.show({ kind: 'running', text, since });
      results.push(await updateOne(app, results));
    }
    isRunning = false;
    if (document.activeElement === stop) byId('installed-title').focus({ preventScroll: true });
    const result = conclusion(results, apps.length);
    status.show(result);
    stage.announce(`Update all: ${result.text}`);
    report(result, results);
    showButtons();
  }

  return {
    /** @param {App[]} installed */
    show: (installed) => {
      waiting = installed.filter(({ available_version: version }) => version !== null);
      showButtons();
    },
    tick: status.tick,
  };
}

/**
 * Updates apps for the activity panel, which shows the results and the answers of the box so far.
 * @param {Stage} stage
 * @param {(app: App) => Operation} updateOf
 */
function makeUpdates(stage, updateOf) {
  /** @type {string[]} */
  const answers = [];

  /**
   * @param {App} app
   * @param {AppResult[]} before
   * @returns {Promise<AppResult>}
   */
  async function updateOne(app, before) {
    const result = await runOperation(updateOf(app), {
      ...stage,
      report: ({ json }) => void (json && answers.push(json)),
    });
    const { title } = app;
    /** @type {AppResult} */
    const told = result
      ? { ...result, title }
      : { title, kind: 'unknown', text: 'Left out: another change of this app is under way.' };
    report({ kind: 'running', text: `${before.length + 1} done` }, [...before, told]);
    return told;
  }

  /** @param {Result} result @param {AppResult[]} results */
  function report(result, results) {
    const text = `Update all: ${result.text}`;
    stage.report({ line: text, result: { kind: result.kind, text }, results, json: answers.join('\n') });
  }

  return { updateOne, report };
}

/** @param {number} count */
function updatesText(count) {
  return count === 1 ? '1 update' : `${count} updates`;
}

/**
 * The result: all apps updated, some failed, or stopped before the end.
 * @param {AppResult[]} results
 * @param {number} count
 * @returns {Result}
 */
export function conclusion(results, count) {
  const failed = results.filter(({ kind }) => kind !== 'done').map(({ title }) => title);
  const parts = [`${results.length - failed.length} of ${count} apps updated.`];
  if (failed.length > 0) parts.push(`Not updated: ${failed.join(', ')}.`);
  const left = count - results.length;
  if (left > 0) parts.push(`Stopped before the last ${left === 1 ? 'app' : `${left} apps`}.`);
  return { kind: failed.length > 0 ? 'partial' : 'done', text: parts.join(' ') };
}
