/** How far a change of an app is, with a bar, or how it ended. */
import { element, setHidden } from '../dom.js';
import { makeStatusLine } from '../status-line.js';
import { operationStatus } from './under-way.js';
/** @import { AppOperation } from '../api.js' */
/** @import { Status } from './operations.js' */

export function makeProgressLine() {
  const status = makeStatusLine();
  const bar = element('progress', { hidden: true });
  const box = element('div', { class: 'progress' }, status.line, bar);
  return {
    box,
    isShown: () => !status.line.hidden,
    /**
     * Without an operation shows the status alone. Only this page knows when it asked for a change, so only its own
     * changes have an elapsed time.
     * @param {Status | undefined} own
     * @param {AppOperation | null} operation
     * @param {string} title of the app
     */
    show: (own, operation, title) => {
      const since = own?.kind === 'running' ? own.since : undefined;
      status.show(operation === null ? own : operationStatus(operation, since));
      const total = operation?.bytes_total;
      setHidden(bar, total === undefined);
      if (total === undefined) return;
      bar.setAttribute('aria-label', `Pulled for ${title}`);
      bar.max = total;
      bar.value = operation?.bytes ?? 0;
    },
  };
}
