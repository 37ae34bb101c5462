/**
 * What a room gets when it is opened, and what rooms have in common.
 */

import { exchange } from '../../box/page/api.js';
import { button, byId, element, setText } from '../../box/page/dom.js';

/** @typedef {import('../api.gen.ts').components['schemas']} Schemas */

/**
 * @template Body
 * @typedef {import('../../box/page/api.js').Outcome<Body>} Outcome
 */

/**
 * @typedef {object} Room
 * @property {string} path its address behind `#/`; if it ends with `/`, a name follows
 * @property {string} title
 * @property {(visit: Visit) => Promise<void>} open draws the room; called each time that the owner comes
 */

/** @typedef {ReturnType<typeof makeVisit>} Visit */

/**
 * @param {HTMLElement} place where the room draws
 * @param {string} name what follows the room's path, such as the name of an app
 * @param {AbortSignal} left aborted when the owner leaves the room
 */
export function makeVisit(place, name, left) {
  /** @param {string} text @param {'done' | 'problem' | ''} [kind] */
  const say = (text, kind = '') => {
    if (left.aborted) return;
    const said = byId('said');
    said.className = `said ${kind}`;
    setText(said, text);
  };
  return {
    place,
    name,
    left,
    /** Shows a text about the latest action, and lets a screen reader say it. */
    say,
    /** @param {string} title of the room, instead of its usual one */
    setTitle(title) {
      if (left.aborted) return;
      setText(byId('room-title'), title);
      document.title = `${title} – Settings`;
    },
    /** Moves the focus to the title, because the pressed button is gone. */
    focusTitle: () => byId('room-title').focus(),
    /**
     * Reads from the console. Shows the reason and returns `null` if there is no answer, or if the owner has left.
     * @template Body
     * @param {string} path behind `/settings/api/`
     * @returns {Promise<Body | null>}
     */
    async get(path) {
      const outcome = await request(path, { signal: AbortSignal.any([left, AbortSignal.timeout(60_000)]) });
      if (left.aborted) return null;
      if (isDone(outcome)) return outcome.body;
      say(outcome.message, 'problem');
      return null;
    },
    /**
     * Reads what only a POST may answer, such as a secret. Shows the reason and returns `null` if there is no answer.
     * @param {string} path behind `/settings/api/`
     */
    async read(path) {
      const headers = { 'Content-Type': 'application/json' };
      const outcome = await request(path, { method: 'POST', headers, body: '{}' });
      if (left.aborted) return null;
      if (isDone(outcome)) return outcome.body;
      say(outcome.message, 'problem');
      return null;
    },
    /**
     * Makes a change: the button is busy until the answer, which is shown. Returns the answer, or `null` if the change was
     * not made.
     * @param {HTMLButtonElement} pressed
     * @param {string} doing such as `Restoring notes`
     * @param {string} path behind `/settings/api/`
     * @param {object} body
     */
    async change(pressed, doing, path, body) {
      pressed.setAttribute('aria-disabled', 'true');
      say(`${doing}…`);
      const headers = { 'Content-Type': 'application/json' };
      const outcome = await request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      pressed.removeAttribute('aria-disabled');
      if (!isDone(outcome)) say(outcome.message, 'problem');
      else say(outcome.body.text, outcome.body.ok ? 'done' : 'problem');
      return isDone(outcome) ? outcome.body : null;
    },
  };
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
function request(path, init) {
  return exchange(`/settings/api/${path}`, location, init);
}

/**
 * @param {Outcome<any>} outcome
 * @returns {outcome is Extract<Outcome<any>, { kind: 'done' | 'partial' }>}
 */
function isDone(outcome) {
  return outcome.kind === 'done' || outcome.kind === 'partial';
}

/**
 * A row of a list: a title, sentences, and buttons.
 * @param {string | Node} title
 * @param {(string | Node)[]} sentences
 * @param {HTMLButtonElement[]} [buttons]
 */
export function listRow(title, sentences, buttons = []) {
  const texts = sentences.map((one) => element('p', { class: 'note' }, one));
  const tools = buttons.length > 0 ? element('div', { class: 'row-buttons' }, ...buttons) : null;
  return element('li', { class: 'row' }, element('div', {}, element('h3', {}, title), ...texts), tools);
}

/** @param {HTMLElement[]} rows */
export function listOf(rows) {
  // Safari takes a list without bullets for no list, unless it has the role.
  return element('ul', { class: 'rows', attributes: { role: 'list' } }, ...rows);
}

/**
 * A moment in the reader's time zone.
 * @param {string} time
 */
export function shownTime(time) {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  const amount = bytes / Number(size);
  return `${amount === 0 ? 0 : amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
}

/**
 * A message of the box as a sentence: with a large letter, and commands in their own type.
 * @param {string} text
 */
export function sentence(text) {
  const parts = text.split('`').map((part, number) => (number % 2 === 0 ? part : element('code', { text: part })));
  const [first = '', ...others] = parts;
  return element('span', {}, typeof first === 'string' ? capitalized(first) : first, ...others);
}

/** @param {string} text */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A button that belongs to one thing of a list. A screen reader hears its text and the thing.
 * @param {string} text
 * @param {string} thing
 * @param {string} kind
 * @param {(pressed: HTMLButtonElement) => void} press
 */
export function buttonFor(text, thing, kind, press) {
  const made = button(text, kind, () => press(made), `${text}: ${thing}`);
  return made;
}
