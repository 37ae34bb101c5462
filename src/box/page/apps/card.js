/** An app's tile. The tile is made once; later updates change only what differs, so that focus stays in place. */

import { button, element, newTab, redraw, setAttributes, setText, withCode } from '../dom.js';
import { localText } from '../local-text.js';
import { makeProgressLine } from '../status-line.js';
import { stateWords, trouble } from './app-state.js';
import { iconImage } from './icon.js';
import { makeMenu } from './menu.js';
import { bestAddress, isFailing } from './model.js';
import { doingText } from './under-way.js';

/** @import { Help } from './app-state.js' */
/** @import { CardPresses, Press } from './menu.js' */
/** @import { App } from './model.js' */
/** @import { Status } from './operations.js' */

/** @typedef {ReturnType<typeof makeCard>} Card */

/** @type {Record<Help, [Press, string]>} */
const helpButtons = {
  start: ['start', 'Start'],
  settings: ['settings', 'Settings'],
  port: ['settings', 'Choose another port'],
  log: ['log', 'Log'],
  space: ['space', 'Free space'],
  reinstall: ['reinstall', 'Repair'],
};

/**
 * The button that matters now: what it does and its text. It is on the tile, and all others are in the menu.
 * box/page/5
 * @param {App} app
 * @returns {[Press, string] | null}
 */
function mainButton(app) {
  if (app.kind === 'available') return ['install', 'Install'];
  const { help } = trouble(app);
  if (help !== null) return helpButtons[help];
  return app.available_version ? ['update', `Update to ${app.available_version}`] : null;
}

/** @param {App} first @param {CardPresses} presses */
export function makeCard(first, presses) {
  let app = first;
  // Encoded, because a list of ids is separated by spaces and a name may contain them.
  const id = `app-${first.kind}-${encodeURIComponent(first.name)}`;
  const heading = element('h3', { tabindex: '-1', id });
  const icon = element('div', { class: 'icon' });
  const state = makeStateLine();
  const store = element('p', { class: 'store' });
  const description = element('p', { class: 'description' });
  const progress = makeProgressLine();
  /** @type {Status | undefined} */
  let status;
  const main = element('div', { class: 'card-buttons' });
  const isAvailable = first.kind === 'available';
  const menu = isAvailable ? null : makeMenu(first, presses);
  const reason = isAvailable ? null : makeReason();
  const help = reason && element('div', { class: 'card-help' }, main, reason.words);
  const body = element('div', { class: 'card-body' }, description, reason?.text ?? null, progress.box, help);
  const names = element('div', { class: 'card-title' }, heading, state.line, store);
  const parts = [icon, names, menu?.toggle ?? main, menu?.list ?? null, body];
  const article = element('article', { 'aria-labelledby': heading.id }, ...parts);
  const item = element('li', { class: 'card', 'data-app': first.name }, article);

  /** Draws what differs. A change that is under way leaves nothing to press, whichever page asked for it. */
  function draw() {
    const focused = item.contains(document.activeElement) ? document.activeElement : null;
    const isBusy = status?.kind === 'running' || app.operation !== null;
    const isBad = !isBusy && ['partial', 'refused', 'unknown'].includes(status?.kind ?? '');
    const isFailed = isBad || isFailing(app);
    setAttributes(item, {
      class: `card${isFailed ? ' failed' : ''}${isBad ? ' wide' : ''}${app.state === 'unknown' ? ' not-known' : ''}`,
    });
    redraw(icon, [app.icon_svg, app.icon_url], () => [iconImage(app.icon_svg, app.icon_url)]);
    showOpener(heading, app, () => presses.about(app));
    state.show(app);
    setText(store, app.store && `From ${app.store}`);
    store.toggleAttribute('hidden', app.store === '');
    const [press, text] = mainButton(app) ?? [];
    redraw(main, [press, text, app.title], () =>
      press && text ? [button(text, 'primary small', () => presses[press](app), `${text} ${app.title}`)] : [],
    );
    setAttributes(main.firstElementChild, { 'aria-disabled': String(isBusy), 'aria-describedby': 'under-way' });
    main.toggleAttribute('hidden', isBusy && !isAvailable);
    menu?.show({ app, onTile: press ?? null, isBusy });
    progress.show(status, app.operation, app.title);
    const isTold = progress.isShown();
    // The lines of a result say more than the state.
    reason?.show(app, isBusy || (isTold && !isFailed) || Boolean(status?.detail));
    const isReplaced = isTold || reason?.isShown() || (!isAvailable && main.hasChildNodes());
    setText(description, app.description);
    description.toggleAttribute('hidden', app.description === '' || isReplaced);
    if (focused && !focused.checkVisibility()) heading.focus({ preventScroll: true });
  }

  draw();
  return {
    item,
    heading,
    /** @param {Status | undefined} shown how the latest operation went @param {App} [next] */
    show: (shown, next = app) => {
      if (next === app && shown === status) return;
      [app, status] = [next, shown];
      draw();
    },
  };
}

/**
 * The app's name, whose press opens the app, or the dialog about it while it has no address. Its area is the whole tile.
 * @param {HTMLElement} heading
 * @param {App} app
 * @param {() => void} about
 */
function showOpener(heading, app, about) {
  const href = app.kind === 'available' ? undefined : bestAddress(app, location.hostname)?.href;
  const hadFocus = heading.contains(document.activeElement);
  const isNew = redraw(heading, [href, app.title], () => [
    href === undefined
      ? button(app.title, 'opener', about, `About ${app.title}`)
      : element('a', { text: app.title, ...newTab(href, `Opens ${href} in a new tab`), class: 'opener' }),
  ]);
  const opener = heading.querySelector('a') ?? heading.querySelector('button');
  if (isNew && hadFocus) opener?.focus({ preventScroll: true });
}

/** Why an app does not run, in an owner's words; and below it, folded, what the box and Docker said. */
function makeReason() {
  const text = element('p', { class: 'reason' });
  const said = element('p', {});
  const words = element('details', { class: 'words' }, element('summary', { text: 'Details' }), said);
  return {
    text,
    words,
    isShown: () => !text.hidden,
    /** @param {App} app @param {boolean} isFolded */
    show: (app, isFolded) => {
      const shown = trouble(app).text;
      redraw(text, [shown], () => withCode(shown));
      const { state_detail: detail, error } = app;
      const found = [detail, detail.includes(error) ? '' : error].filter(Boolean);
      setText(said, shown === '' ? '' : localText(found.join(' ')));
      text.toggleAttribute('hidden', isFolded || text.textContent === '');
      words.toggleAttribute('hidden', isFolded || said.textContent === '');
    },
  };
}

/** The state of an app, with a sign and a word, or the change that is under way. */
function makeStateLine() {
  const sign = element('span', { class: 'sign', 'aria-hidden': 'true' });
  const word = element('strong', {});
  const links = element('span', { class: 'public' });
  const line = element('p', { class: 'state' }, sign, ' ', word, links);
  return {
    line,
    /** @param {App} app */
    show: ({ state, stopped_at: stoppedAt, operation, public_urls: [url = ''] }) => {
      line.toggleAttribute('hidden', state === null && operation === null);
      setAttributes(line, { class: `state ${operation ? 'starting' : stoppedAt ? '' : state}` });
      setText(sign, operation ? stateWords.starting.sign : state ? stateWords[state].sign : '');
      const own = state ? `${stateWords[state].word}${stoppedAt ? ' by you' : ''}` : '';
      setText(word, operation ? doingText(operation) : own);
      redraw(links, [url], () => (url ? [publicLink(url)] : []));
    },
  };
}

/** @param {string} url */
function publicLink(url) {
  const label = `Public at ${url.replace(/^https:\/\//, '')}, in a new tab`;
  return element('a', { text: 'Public', ...newTab(url, label), 'aria-label': label });
}
