/** "Update all": every app with a newer version in the catalogue, one after the other. */
import { button, byId, element, setText } from '../dom.js';
import { makeStatusLine } from '../status-line.js';
import { runOperation } from './operations.js';
/** @import { App } from './model.js' */
/** @import { AppResult, Operation, Report, Stage } from './operations.js' */
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
    all.toggleAttribute('hidden', isRunning || waiting.length < 2);
    stop.toggleAttribute('hidden', !isRunning);
  }

  /** @param {App[]} apps */
  async function run(apps) {
    isRunning = true;
    isStopped = false;
    stop.setAttribute('aria-disabled', 'false');
    showButtons();
    stop.focus();
    const since = performance.now();
    /** @type {AppResult[]} */
    const results = [];
    /** @type {string[]} */
    const answers = [];
    // The activity panel shows the results and the answers of the box so far.
    const report = (/** @type {Result} */ { kind, text: shown }) => {
      const text = `Update all: ${shown}`;
      stage.report({ line: text, result: { kind, text }, results, json: answers.join('\n') });
    };
    for (const [index, app] of apps.entries()) {
      if (isStopped) break;
      const text = `Updating ${index + 1} of ${apps.length}: ${app.title}. Keep this page open`;
      status.show({ kind: 'running', text, since });
      const reportOne = (/** @type {Report} */ { json }) => void (json && answers.push(json));
      const result = await runOperation(updateOf(app), { ...stage, report: reportOne });
      results.push({ ...(result ?? leftOut), title: app.title });
      report({ kind: 'running', text: `${results.length} done` });
    }
    isRunning = false;
    if (document.activeElement === stop) byId('installed-title').focus({ preventScroll: true });
    const result = conclusion(results, apps.length);
    status.show(result);
    stage.announce(`Update all: ${result.text}`);
    report(result);
    showButtons();
  }

  return (/** @type {App[]} */ installed) => {
    waiting = installed.filter(({ available_version: version }) => version !== null);
    showButtons();
  };
}

/** @type {Result} */
const leftOut = { kind: 'unknown', text: 'Left out: another change of this app is under way.' };

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
function conclusion(results, count) {
  const failed = results.filter(({ kind }) => kind !== 'done').map(({ title }) => title);
  const parts = [`${results.length - failed.length} of ${count} apps updated.`];
  if (failed.length > 0) parts.push(`Not updated: ${failed.join(', ')}.`);
  const left = count - results.length;
  if (left > 0) parts.push(`Stopped before the last ${left === 1 ? 'app' : `${left} apps`}.`);
  return { kind: failed.length > 0 ? 'partial' : 'done', text: parts.join(' ') };
}
