/** An app's tile. The tile is made once; later updates change only what differs, so that focus stays in place. */

import { button, element, setHidden, setText, withCode } from '../dom.js';
import { helpfulButton, stateHelp, stateText, stateWords } from './app-state.js';
import { iconImage } from './icon.js';
import { bestAddress, isFailing, isSameApp, onlyOnBoxText } from './model.js';
import { makeProgressLine } from './progress.js';
import { doingText } from './under-way.js';

/** @typedef {import('./model.js').App} App */

/**
 * @typedef {object} CardPresses
 * @property {(app: App) => void} about
 * @property {(app: App) => void} install
 * @property {(app: App) => void} start
 * @property {(app: App) => void} settings
 * @property {(app: App) => void} update
 * @property {(app: App) => void} reinstall
 * @property {(app: App) => void} remove
 */

/**
 * @typedef {object} Card
 * @property {HTMLElement} item
 * @property {HTMLElement} heading
 * @property {(app: App) => void} update
 * @property {(status: import('./operations.js').Status | undefined) => void} showStatus
 * @property {() => void} tick
 */

/** @typedef {Exclude<keyof CardPresses, 'about'>} Press */

/**
 * The buttons in their order, and the apps that have them. box/page/4, box/page/5, box/page/14
 * @type {[Press, string, (app: App) => boolean][]}
 */
const cardButtons = [
  ['install', 'Install', (app) => app.kind === 'available'],
  ['start', 'Start', (app) => helpfulButton(app) === 'start'],
  ['settings', 'Settings', (app) => app.kind === 'installed' && app.hasSettings],
  ['update', 'Update', (app) => app.kind !== 'available'],
  ['reinstall', 'Reinstall', (app) => app.kind !== 'available'],
  ['remove', 'Remove', (app) => app.kind !== 'available'],
];

/**
 * The button that matters now; it is beside the link to the app, and all others in the menu.
 * @param {App} app
 * @returns {Press | null}
 */
function mainButton(app) {
  if (app.kind === 'available') return 'install';
  return helpfulButton(app) ?? (app.newerVersion === '' ? null : 'update');
}

/**
 * @param {App} first
 * @param {CardPresses} presses
 * @param {string} hostname
 * @returns {Card}
 */
export function makeCard(first, presses, hostname) {
  let app = first;
  let shownIcon = '';
  // Encoded, because a list of ids is separated by spaces and a name may contain them.
  const id = `app-${first.kind}-${encodeURIComponent(first.name)}`;
  const heading = element('h3', { attributes: { tabindex: '-1', id } });
  const icon = element('div', { class: 'icon' });
  const state = makeStateLine();
  const store = element('p', { class: 'store' });
  const about = button('i', 'about', () => presses.about(app));
  const description = element('p', { class: 'description' });
  const error = element('p', { class: 'error' });
  const progress = makeProgressLine();
  /** @type {import('./operations.js').Status | undefined} */
  let shownStatus;
  const buttons = makeButtons((press) => presses[press](app), hostname);
  const item = element(
    'li',
    { class: 'card', attributes: { 'data-app': first.name } },
    element(
      'article',
      { attributes: { 'aria-labelledby': heading.id } },
      element(
        'div',
        { class: 'card-head' },
        icon,
        element('div', { class: 'card-title' }, heading, state.line, store),
        about,
      ),
      element('div', { class: 'card-body' }, description, error, state.detail, state.help, progress.box),
      buttons.main,
      buttons.menu,
    ),
  );

  /** @param {App} next */
  function update(next) {
    app = next;
    const focused = item.contains(document.activeElement) ? document.activeElement : null;
    setText(heading, next.title);
    about.setAttribute('aria-label', `About ${next.title}`);
    state.show(next);
    setText(store, next.store && `From ${next.store}`);
    setHidden(store, next.store === '');
    setText(description, next.description);
    setText(error, next.error && !next.stateDetail.includes(next.error) ? `This app is broken: ${next.error}` : '');
    buttons.show(next);
    const nextIcon = next.icon ?? next.iconUrl ?? 'none';
    if (nextIcon !== shownIcon) icon.replaceChildren(iconImage(next.icon, next.iconUrl));
    shownIcon = nextIcon;
    showBusy();
    // A button that moved to another place lost the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
    if (focused && !focused.checkVisibility()) heading.focus({ preventScroll: true });
  }

  /** A change of the app that is under way leaves nothing to press, whichever page asked for it. */
  function showBusy() {
    const isBusy = shownStatus?.kind === 'running' || app.operation !== null;
    progress.show(shownStatus, app.operation, app.title);
    buttons.setBusy(isBusy);
    const isBad = isFailing(app) || isBadResult(shownStatus);
    const isWide = !isBusy && (isBad || Boolean(shownStatus?.detail || shownStatus?.more));
    const className = `card${isWide ? ' wide' : ''}${isWide && !isBad ? ' well' : ''}${app.state === 'unknown' && !isBusy ? ' not-known' : ''}`;
    if (item.className !== className) item.className = className;
    const isTold = progress.isShown();
    state.fold(isBusy || app.state === 'running' || (isTold && !isWide), isBusy || Boolean(shownStatus?.detail));
    setHidden(error, error.textContent === '');
    const isReplaced = !state.detail.hidden && app.state !== 'unknown';
    setHidden(description, app.description === '' || isTold || isWide || isReplaced);
  }

  update(first);
  return {
    item,
    heading,
    update: (next) => {
      if (app !== next && !isSameApp(app, next)) update(next);
    },
    showStatus: (shown) => {
      if (shown === shownStatus) return;
      shownStatus = shown;
      const hadFocus = progress.box.contains(document.activeElement);
      showBusy();
      if (hadFocus && !progress.box.contains(document.activeElement)) heading.focus({ preventScroll: true });
    },
    tick: progress.tick,
  };
}

/**
 * The buttons of a card: the link to the app and the button that matters now in `main`, all others in `menu`.
 * @param {(press: Press) => void} press
 * @param {string} hostname
 */
function makeButtons(press, hostname) {
  const open = element('a', { class: 'button open' });
  const onlyOnBox = element('p', { class: 'only-on-box' });
  const main = element('div', { class: 'card-buttons' }, open, onlyOnBox);
  const menu = element('div', { class: 'card-menu', attributes: { role: 'group' } });
  const buttons = cardButtons.map(([kind, text, isFor]) => {
    const made = button(text, '', () => press(kind));
    made.setAttribute('aria-describedby', 'under-way');
    return { made, kind, text, isFor };
  });
  menu.append(...buttons.map(({ made }) => made));
  return {
    main,
    menu,
    /** @param {boolean} isBusy */
    setBusy: (isBusy) => {
      for (const { made } of buttons) made.setAttribute('aria-disabled', String(isBusy));
    },
    /** @param {App} app */
    show: (app) => {
      const address = bestAddress(app, hostname);
      setHidden(open, address === null);
      if (address !== null) showOpener(open, app.title, address);
      setText(onlyOnBox, address === null ? onlyOnBoxText(app, hostname) : '');
      menu.setAttribute('aria-label', `More for ${app.title}`);
      const mattering = mainButton(app);
      for (const [index, { made, kind, text, isFor }] of buttons.entries()) {
        const shown = kind === 'update' && app.newerVersion ? `Update to ${app.newerVersion}` : text;
        setHidden(made, !isFor(app));
        setText(made, shown);
        made.setAttribute('aria-label', `${shown} ${app.title}`);
        const isMain = kind === mattering;
        made.className = isMain ? 'button primary' : `button plain${kind === 'remove' ? ' danger-text' : ''}`;
        if (isMain && made.parentElement !== main) main.insertBefore(made, onlyOnBox);
        if (isMain || made.parentElement === menu) continue;
        const after = buttons.slice(index + 1).find((other) => other.made.parentElement === menu);
        menu.insertBefore(made, after?.made ?? null);
      }
      setHidden(menu, app.kind === 'available');
    },
  };
}

/** @param {import('./operations.js').Status | undefined} status */
function isBadResult(status) {
  return status !== undefined && ['partial', 'refused', 'unknown'].includes(status.kind);
}

/**
 * The state of an app: a sign and a word in the head; the sentence about it, and advice, below. A change that is under
 * way replaces it.
 */
function makeStateLine() {
  const sign = element('span', { class: 'sign', attributes: { 'aria-hidden': 'true' } });
  const word = element('strong', {});
  const links = element('span', { class: 'public' });
  const line = element('p', { class: 'state' }, sign, ' ', word, links);
  const detail = element('p', { class: 'state-detail' });
  const help = element('p', { class: 'state-help' });
  let shownPublic = '';
  return {
    line,
    detail,
    help,
    /** @param {boolean} hidesDetail @param {boolean} hidesHelp */
    fold: (hidesDetail, hidesHelp) => {
      setHidden(detail, hidesDetail || detail.textContent === '');
      setHidden(help, hidesHelp || help.textContent === '');
    },
    /** @param {App} app */
    show: ({ state, stateDetail, operation, publicUrls: [url = ''] }) => {
      setHidden(line, state === null && operation === null);
      line.className = `state ${operation ? 'starting' : state}`;
      const shown = state ? stateText(state, stateDetail) : null;
      setText(sign, operation ? stateWords.starting.sign : state ? stateWords[state].sign : '');
      setText(word, operation ? doingText(operation) : (shown?.[0].replace(/\.$/, '') ?? ''));
      setText(
        detail,
        (shown?.[1] ?? '').replace(/^[\s,:;.]+/, '').replace(/^\p{Ll}/u, (one) => one.toUpperCase()),
      );
      help.replaceChildren(...(state ? withCode(stateHelp(state)) : []));
      if (url !== shownPublic) links.replaceChildren(...(url ? [publicLink(url)] : []));
      shownPublic = url;
    },
  };
}

/** @param {string} url */
function publicLink(url) {
  const label = `Public at ${url.replace(/^https:\/\//, '')}, in a new tab`;
  return element('a', { text: 'Public', attributes: { ...newTab(url, label), 'aria-label': label } });
}

/**
 * @param {HTMLElement} link
 * @param {string} title
 * @param {{ href: string }} address
 */
function showOpener(link, title, { href }) {
  setText(link, 'Open');
  const wanted = { ...newTab(href, `${href}, in a new tab`), 'aria-label': `Open ${title} in a new tab` };
  for (const [name, value] of Object.entries(wanted)) {
    if (link.getAttribute(name) !== value) link.setAttribute(name, value);
  }
}

/**
 * @param {string} href
 * @param {string} title
 */
export function newTab(href, title) {
  return { href, target: '_blank', rel: 'noopener noreferrer', title };
}
