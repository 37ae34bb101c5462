/** The live log of an app. */

import { button, element, setText } from '../../box/page/dom.js';

/** @import { Schemas, Visit } from './visit.js' */

/** @typedef {Schemas['LogPart']} LogPart */

/** Lines that the page keeps. */
const mostLogLines = 1000;
/** Shown from the start, because Firefox reports an open log only once a line comes. */
const noLine = 'No line yet.';
/** While the log pauses, later parts wait here. */
const mostWaitingParts = 100;

/** @param {string} app @param {Visit} visit */
export function logSection(app, { left, level }) {
  const list = element('ol', { class: 'log', tabindex: '0', 'aria-label': 'Lines of the log' });
  const notes = element('p', { class: 'note', role: 'status', text: noLine });
  const search = element('input', { type: 'search', id: 'log-search', autocomplete: 'off' });
  /** @type {LogPart[]} */
  let waiting = [];
  let isPaused = false;

  const isFound = (/** @type {Element} */ line) =>
    (line.textContent ?? '').toLowerCase().includes(search.value.toLowerCase());
  const addLine = (/** @type {string} */ text, kind = '') => {
    const line = element('li', { class: kind, text });
    line.hidden = !isFound(line);
    list.append(line);
  };
  /** @param {LogPart} part */
  const show = (part) => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    for (const line of part.lines) addLine(line);
    for (const note of part.notes) addLine(note, 'note');
    while (list.childElementCount > mostLogLines) list.firstElementChild?.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    setText(notes, list.childElementCount === 0 ? 'The log is empty.' : '');
  };

  const events = new EventSource(`/settings/api/logs/${encodeURIComponent(app)}`);
  left.addEventListener('abort', () => events.close());
  events.addEventListener('open', () => {
    // After a lost connection the last lines come again.
    list.replaceChildren();
    setText(notes, noLine);
  });
  events.addEventListener('message', ({ data }) => {
    if (!list.isConnected) return events.close();
    /** @type {LogPart} */
    const part = JSON.parse(data);
    if (isPaused) waiting = [...waiting, part].slice(-mostWaitingParts);
    else show(part);
  });
  events.addEventListener('error', () => setText(notes, 'The log does not come. Another try follows.'));
  search.addEventListener('input', () => {
    for (const line of list.children) /** @type {HTMLElement} */ (line).hidden = !isFound(line);
  });

  const pause = button('Pause', 'quiet', () => {
    isPaused = !isPaused;
    setText(pause, isPaused ? 'Go on' : 'Pause');
    if (isPaused) return;
    for (const part of waiting) show(part);
    waiting = [];
  });
  const download = button('Download', 'quiet', () => {
    const text = [...list.children].map((line) => `${line.textContent}\n`).join('');
    const link = element('a', {
      href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })),
      download: `${app}.log`,
    });
    link.click();
  });
  return element(
    'section',
    {},
    element(level, { text: 'Log' }),
    element('label', { text: 'Search in the log', for: 'log-search' }),
    search,
    element('div', { class: 'row-buttons' }, pause, download),
    list,
    notes,
  );
}
