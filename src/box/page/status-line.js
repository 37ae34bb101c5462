/** The status line: the operation under way and its duration, or how the latest operation ended. */

import { elapsedText } from './apps/model.js';
import { operationStatus } from './apps/under-way.js';
import { button, element, setText, withCode } from './dom.js';

/** @import { AppOperation } from './api.js' */
/** @import { Status } from './apps/operations.js' */

/** Signs beside the words, for those who see no colours. */
const signs = { running: '', done: '✓', note: '–', partial: '!', refused: '✕', unknown: '?' };

export function makeStatusLine() {
  const sign = element('span', { class: 'sign', 'aria-hidden': 'true' });
  const text = element('span', { class: 'status-text' });
  const elapsed = element('span', { class: 'elapsed' });
  const remedy = element('div', {});
  const fold = element('div', {});
  const more = element('span', { class: 'status-more' });
  const line = element(
    'div',
    { class: 'status', hidden: true },
    sign,
    element('div', { class: 'status-body' }, text, elapsed, more, remedy, fold),
  );
  /** @type {Status | undefined} */
  let current;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const tick = () => {
    if (current?.since === undefined) return;
    const tookMs = performance.now() - current.since;
    const isExplained = tookMs < 20_000 || current.more || current.isBrief;
    const patience = isExplained ? '' : ' Large downloads take minutes; the box goes on even if you leave this page.';
    setText(elapsed, ` … ${elapsedText(tookMs)}.${patience}`);
  };
  /** @param {Status | undefined} status */
  const show = (status) => {
    if (status === current) return;
    current = status;
    line.hidden = !status;
    line.className = `status ${status?.kind ?? ''}`;
    setText(sign, status ? signs[status.kind] : '');
    setText(text, status?.text ?? '');
    clearInterval(timer);
    if (status?.since === undefined) setText(elapsed, '');
    else timer = setInterval(() => (line.isConnected ? tick() : clearInterval(timer)), 1000);
    fold.replaceChildren(...(status?.detail ? [foldedOutput(status.detail)] : []));
    more.replaceChildren(...withCode(status?.more ?? ''));
    const offered = status?.remedy;
    remedy.replaceChildren(...(offered ? [button(offered.text, 'quiet small', offered.press, offered.name)] : []));
    tick();
  };
  return { line, show };
}

/** How far a change of an app is, with a bar, or how it ended. */
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
      bar.toggleAttribute('hidden', total === undefined);
      if (total === undefined) return;
      bar.setAttribute('aria-label', `Pulled for ${title}`);
      bar.max = total;
      bar.value = operation?.bytes ?? 0;
    },
  };
}

/** @param {string} text */
function foldedOutput(text) {
  const output = makeOutput(text);
  const fold = element('details', {}, element('summary', { text: 'Details' }), output);
  // The last lines matter most.
  fold.addEventListener('toggle', () => (output.scrollTop = output.scrollHeight));
  return fold;
}

/** Lines as an app wrote them. The focus lets a keyboard scroll them. @param {string} text */
export function makeOutput(text) {
  return element('pre', {
    class: 'output',
    text,
    hidden: text === '',
    tabindex: '0',
    role: 'group',
    'aria-label': 'What the app said',
  });
}
