/** The activity panel: what is running, how the latest action ended for each app, and its log. box/page/9 */

import { makeStatusLine } from './card.js';
import { byId, element, setText } from './dom.js';
import { actionsByApp } from './model.js';

export function makeActivity() {
  const result = makeStatusLine();
  byId('latest').append(result.line);
  return {
    /** @param {import('./operations.js').Report} report */
    report: ({ line, result: shown, actions = [], json }) => {
      byId('nothing-yet').hidden = true;
      result.show(shown);
      byId('per-app').replaceChildren(...perApp(actions));
      setText(byId('log-line'), `${new Date().toLocaleTimeString()} ${line}`);
      setText(byId('log-json'), json ?? '');
      byId('log-json').hidden = json === undefined;
    },
  };
}

/**
 * The result for each app, those in trouble in front and unfolded.
 * @param {import('./api.js').Action[]} actions
 */
function perApp(actions) {
  const groups = actionsByApp(actions);
  const failed = groups.filter((group) => group.failed);
  const fine = groups.filter((group) => !group.failed);
  const count = fine.length === 1 ? '1 app' : `${fine.length} apps`;
  const title = failed.length === 0 ? `What was done for ${count}` : `${count} without trouble`;
  return [
    ...failed.map((group) => appResult(group)),
    ...(fine.length === 0
      ? []
      : [
          element(
            'details',
            {},
            element('summary', { text: title }),
            ...fine.map((group) => appResult(group)),
          ),
        ]),
  ];
}

/** @param {{ app: string, failed: boolean, actions: import('./api.js').Action[] }} group */
function appResult({ app, failed, actions }) {
  const lines = actions.map(({ kind, target, detail }) => {
    const service = target.slice(app.length + 1);
    return element(
      'li',
      { class: kind === 'error' ? 'error-line' : '' },
      element('span', { class: 'kind', text: kind.replaceAll('_', ' ') }),
      `${service ? ` ${service}` : ''}: ${detail}`,
    );
  });
  return element(
    'section',
    { class: failed ? 'app-result failed' : 'app-result' },
    element('h3', { text: failed ? `✕ ${app}: failed` : `✓ ${app}` }),
    element('ul', {}, ...lines),
  );
}
