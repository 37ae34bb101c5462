/** The menu of an installed app's tile: a button that opens a group of buttons and links. */

import { api } from '../api.js';
import { arrange, button, element, newTab, setAttributes, setText } from '../dom.js';
import { bestAddress } from './model.js';

/** @import { App } from './model.js' */

/** @typedef {'about' | 'install' | 'settings' | 'update' | 'reinstall' | 'remove' | 'start' | 'stop' | 'restart' | 'log' | 'space'} Press */
/** @typedef {Record<Press, (app: App) => void>} CardPresses */

/**
 * @typedef {object} Entry
 * @property {string} text
 * @property {Press} [press]
 * @property {(app: App) => string} [href] of a link; empty if the app has none
 * @property {true} [isOfConsole] only with the console
 * @property {(app: App) => boolean} [isFor]
 * @property {string} [more]
 * @property {string} [kind]
 */

/**
 * @typedef {object} MenuState
 * @property {App} app
 * @property {Press | null} onTile what the tile has outside of the menu
 * @property {boolean} isConsoleThere
 * @property {boolean} isBusy
 */

/** @param {string} room @returns {(app: App) => string} */
const roomOf =
  (room) =>
  ({ name }) =>
    `/settings/#/${room}/${encodeURIComponent(name)}`;

/** @param {App} app */
const isDown = ({ state }) => state === 'stopped' || state === 'not_started';
/** @param {App} app */
const isReadable = ({ kind }) => kind === 'installed';

/** The entries in their order, with a line above the first one of a group. box/page/4, box/page/14 @type {Entry[][]} */
const entryGroups = [
  [
    { text: 'Open', href: (app) => bestAddress(app, location.hostname)?.href ?? '' },
    { text: 'Settings', press: 'settings', isFor: (app) => isReadable(app) && app.has_settings },
    { text: 'Log', href: roomOf('apps'), isOfConsole: true },
    { text: 'Backups', href: roomOf('backups'), isOfConsole: true },
    { text: 'Make public', href: roomOf('apps'), isOfConsole: true, isFor: isReadable },
  ],
  [
    { text: 'Restart', press: 'restart', isOfConsole: true, isFor: (app) => isReadable(app) && !isDown(app) },
    { text: 'Stop', press: 'stop', isOfConsole: true, isFor: (app) => isReadable(app) && !isDown(app) },
    { text: 'Start', press: 'start', isFor: (app) => isReadable(app) && isDown(app) },
    { text: 'Update', press: 'update' },
    { text: 'Repair', more: 'with a reinstall that keeps its data', press: 'reinstall' },
  ],
  [
    { text: 'About', press: 'about' },
    { text: 'Remove', press: 'remove', kind: 'danger-text' },
  ],
];

/** What changes nothing can be pressed while the app is being changed. */
const isChange = (/** @type {Entry} */ { press }) => press !== undefined && press !== 'about';

/** @param {App} first @param {CardPresses} presses */
export function makeMenu(first, presses) {
  /** @type {MenuState} */
  const state = { app: first, onTile: null, isConsoleThere: false, isBusy: false };
  const groups = entryGroups.map((entries) => ({
    place: element('div'),
    entries: entries.map((entry) => ({ entry, made: makeMenuEntry(entry, (press) => presses[press](state.app)) })),
  }));
  const title = element('p', { class: 'menu-title', 'aria-hidden': 'true' });
  const { toggle, list } = makeDisclosure([title, ...groups.map(({ place }) => place)], () => {
    void api.isConsoleThere().then((isThere) => {
      if (isThere === state.isConsoleThere) return;
      state.isConsoleThere = isThere;
      show();
    });
  });

  function show() {
    setText(title, state.app.title);
    for (const { place, entries } of groups) {
      const shown = entries.filter(({ entry, made }) => showMenuEntry(entry, made, state));
      arrange(
        place,
        shown.map(({ made }) => made),
      );
    }
  }

  return {
    toggle,
    list,
    /** @param {Omit<MenuState, 'isConsoleThere'>} next */
    show: (next) => {
      Object.assign(state, next);
      for (const one of [toggle, list]) setAttributes(one, { 'aria-label': `Menu of ${next.app.title}` });
      show();
    },
  };
}

/** @param {Entry} entry @param {(press: Press) => void} carryOut */
function makeMenuEntry(entry, carryOut) {
  const { text, more, press, kind = '' } = entry;
  const one = press ? button(text, kind, () => carryOut(press)) : element('a', { class: 'button', text });
  if (isChange(entry)) one.setAttribute('aria-describedby', 'under-way');
  if (more) one.append(' ', element('small', { text: more }));
  return one;
}

/**
 * Returns whether the menu has the entry now.
 * @param {Entry} entry
 * @param {HTMLElement} one
 * @param {MenuState} state
 */
function showMenuEntry(entry, one, { app, onTile, isConsoleThere, isBusy }) {
  const { text, press, href, more, isOfConsole, isFor = () => true } = entry;
  const address = href?.(app);
  if (!isFor(app) || address === '' || (isOfConsole && !isConsoleThere)) return false;
  if (press !== undefined && press === onTile) return false;
  const isNewTab = text === 'Open';
  setAttributes(one, {
    'aria-label': `${text}${more ? ` ${more}` : ''} ${app.title}${isNewTab ? ' in a new tab' : ''}`,
    ...(isChange(entry) ? { 'aria-disabled': String(isBusy) } : {}),
    ...(address ? (isNewTab ? newTab(address, address) : { href: address }) : {}),
  });
  return true;
}

/**
 * A button that opens a list of buttons and links. A press in the list, a press beside it, Escape and a focus that leaves
 * close it.
 * @param {HTMLElement[]} content
 * @param {() => void} onOpen
 */
function makeDisclosure(content, onOpen) {
  const toggle = button('⋯', 'menu-button', () => {});
  const list = element('div', { class: 'menu', popover: 'auto', role: 'group' }, ...content);
  toggle.popoverTargetElement = list;
  toggle.setAttribute('aria-expanded', 'false');
  list.addEventListener('beforetoggle', (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === 'open';
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    onOpen();
    placeAt(list, toggle);
  });
  // First of all, so that a dialog gives the focus back to the button.
  list.addEventListener(
    'click',
    ({ target }) => {
      const pressed = target instanceof Element && target.closest('a, button');
      const isFree = pressed && pressed.getAttribute('aria-disabled') !== 'true';
      if (isFree || target === list) list.hidePopover();
    },
    true,
  );
  list.addEventListener('focusout', ({ relatedTarget: next }) => {
    if (next instanceof Node && next !== toggle && !list.contains(next)) list.hidePopover();
  });
  return { toggle, list };
}

/**
 * Places a list below a button, or above it near the end of the window. It scrolls along with the page.
 * @param {HTMLElement} list
 * @param {HTMLElement} toggle
 */
function placeAt(list, toggle) {
  const { top, bottom, right } = toggle.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isBelow = bottom < clientHeight * 0.6;
  const set = (/** @type {string} */ name, /** @type {string} */ value) => list.style.setProperty(name, value);
  set('--end', `${clientWidth - right}px`);
  set('--top', isBelow ? `${bottom + scrollY + 4}px` : 'auto');
  set('--bottom', isBelow ? 'auto' : `${clientHeight - top - scrollY + 4}px`);
  set('--room', `${(isBelow ? clientHeight - bottom : top) - 12}px`);
}
