/** The activity panel: what is running, how the latest action ended for each app, and its log. box/page/9 */

import { byId, element, setText } from '../dom.js';
import { makeOutput, makeStatusLine } from '../status-line.js';
import { actionsByApp } from './model.js';
import { withLines } from './outcomes.js';
/** @import { Action } from '../api.js' */
/** @import { AppResult, Report } from './operations.js' */

export function makeActivity() {
  const result = makeStatusLine();
  byId('latest').append(result.line);
  // A keyboard scrolls what has the focus.
  byId('drawer').tabIndex = 0;
  return {
    /** @param {Report} report */
    report: ({ line, result: shown, actions = [], results = [], json }) => {
      result.show(shown);
      byId('per-app').replaceChildren(...results.map(appOutcome), ...perApp(actions));
      for (const output of byId('per-app').querySelectorAll('.output')) output.scrollTop = output.scrollHeight;
      setText(byId('log-line'), `${new Date().toLocaleTimeString()} ${line}`);
      setText(byId('log-json'), json ?? '');
      byId('log-answer').hidden = json === undefined;
    },
  };
}

/** @param {AppResult} outcome */
function appOutcome({ title, kind, text, detail }) {
  const output = detail ? makeOutput(detail) : null;
  return appSection(title, kind === 'done' ? '✓' : '✕', element('p', { text }), output);
}

/** @param {string} title @param {'✓' | '✕'} sign @param {...(Node | null)} content */
function appSection(title, sign, ...content) {
  const heading = element('h3', { text: `${sign} ${title}` });
  return element('section', { class: sign === '✓' ? 'app-result' : 'app-result failed' }, heading, ...content);
}

/** Up to this number of failed apps, each log is open at first. More open logs would hide the rest of the panel. */
const unfoldedFailures = 5;

/** The result for each app: failed apps come first, with their log open. @param {Action[]} actions */
function perApp(actions) {
  const groups = actionsByApp(actions);
  const failed = groups.filter((group) => group.failed);
  const fine = groups.filter((group) => !group.failed);
  const title = failed.length === 0 ? `What was done for ${countOf(fine)}` : `${countOf(fine)} without trouble`;
  const more = failed.slice(unfoldedFailures);
  return [
    ...failed.slice(0, unfoldedFailures).map((group) => appResult(group)),
    ...folded(`${countOf(more)} more in trouble`, more),
    ...folded(title, fine),
  ];
}

/** @param {unknown[]} groups */
function countOf(groups) {
  return groups.length === 1 ? '1 app' : `${groups.length} apps`;
}

/** @param {string} title @param {ReturnType<typeof actionsByApp>} groups */
function folded(title, groups) {
  if (groups.length === 0) return [];
  return [element('details', {}, element('summary', { text: title }), ...groups.map((group) => appResult(group)))];
}

/** @param {{ app: string, failed: boolean, actions: Action[] }} group */
function appResult({ app, failed, actions }) {
  const lines = actions.map(({ kind, target, detail }) => {
    const service = target.slice(app.length + 1);
    const { text, detail: rest } = withLines('done', `${service ? ` ${service}` : ''}:`, detail);
    return element(
      'li',
      { class: kind === 'error' ? 'error-line' : '' },
      element('span', { class: 'kind', text: kind.replaceAll('_', ' ') }),
      text,
      rest === undefined ? null : makeOutput(rest),
    );
  });
  const list = element('ul', {}, ...lines);
  return failed ? appSection(`${app}: failed`, '✕', list) : appSection(app, '✓', list);
}
