/** An app's card. The card is made once; later updates change only what differs, so that focus stays in place. */

import { button, element, setHidden, setText, withCode } from '../dom.js';
import { makeStatusLine } from '../status-line.js';
import { helpfulButton, stateHelp, stateText, stateWords } from './app-state.js';
import { iconImage } from './icon.js';
import { isSameApp, onlyOnBoxText, openLinks } from './model.js';
import { operationText } from './under-way.js';

/**
 * @typedef {object} CardPresses
 * @property {(app: import('./model.js').App) => void} install
 * @property {(app: import('./model.js').App) => void} start
 * @property {(app: import('./model.js').App) => void} settings
 * @property {(app: import('./model.js').App) => void} update
 * @property {(app: import('./model.js').App) => void} reinstall
 * @property {(app: import('./model.js').App) => void} remove
 */

/**
 * @typedef {object} Card
 * @property {HTMLElement} item
 * @property {HTMLElement} heading
 * @property {(app: import('./model.js').App) => void} update
 * @property {(status: import('./operations.js').Status | undefined) => void} showStatus
 * @property {() => void} tick
 */

/**
 * The buttons in their order, and the apps that have them. box/page/4, box/page/5, box/page/14
 * @type {[keyof CardPresses, string, string, (app: import('./model.js').App) => boolean][]}
 */
const cardButtons = [
  ['install', 'Install', 'primary', (app) => app.kind === 'available'],
  ['start', 'Start', 'primary', (app) => helpfulButton(app) === 'start'],
  ['settings', 'Settings', 'quiet', (app) => app.kind === 'installed' && app.hasSettings],
  ['update', 'Update', 'quiet', (app) => app.kind !== 'available'],
  ['reinstall', 'Reinstall', 'quiet', (app) => app.kind !== 'available'],
  ['remove', 'Remove', 'quiet danger-text', (app) => app.kind !== 'available'],
];

/**
 * Whether a button is highlighted as the recommended action.
 * @param {keyof CardPresses} press
 * @param {import('./model.js').App} app
 */
function isPrimary(press, app) {
  return press === helpfulButton(app) || (press === 'update' && app.newerVersion !== '');
}

/**
 * @param {keyof CardPresses} press
 * @param {string} text
 * @param {import('./model.js').App} app
 */
function buttonText(press, text, app) {
  return press === 'update' && app.newerVersion ? `Update to ${app.newerVersion}` : text;
}

/**
 * @param {import('./model.js').App} first
 * @param {CardPresses} presses
 * @param {string} hostname
 * @returns {Card}
 */
export function makeCard(first, presses, hostname) {
  let app = first;
  let shownIcon = '';
  let shownLinks = '';
  let shownPublic = '';
  // Encoded, because a list of ids is separated by spaces and a name may contain them.
  const id = `app-${first.kind}-${encodeURIComponent(first.name)}`;
  const heading = element('h3', { attributes: { tabindex: '-1', id } });
  const icon = element('div', { class: 'icon' });
  const version = element('p', { class: 'version' });
  const newer = element('p', { class: 'newer' });
  const state = makeStateLine();
  const description = element('p', { class: 'description' });
  const error = element('p', { class: 'status refused' });
  const about = element('p', { class: 'about-text' });
  const more = element('details', { class: 'about' }, element('summary', { text: 'About this app' }), about);
  const links = element('div', { class: 'links' });
  const onlyOnBox = element('p', { class: 'only-on-box' });
  const publicAt = element('p', { class: 'public-at' });
  const status = makeStatusLine();
  /** @type {import('./operations.js').Status | undefined} */
  let shownStatus;
  const buttons = cardButtons.map(([press, text, kind, isFor]) => {
    const made = button(text, kind, () => presses[press](app), `${text} ${first.title}`);
    made.setAttribute('aria-describedby', 'under-way');
    return { made, press, text, kind, isFor };
  });
  const item = element(
    'li',
    { class: 'card', attributes: { 'data-app': first.name } },
    element(
      'article',
      { attributes: { 'aria-labelledby': heading.id } },
      element('div', { class: 'card-head' }, icon, element('div', { class: 'card-title' }, heading, version, newer)),
      state.line,
      description,
      error,
      more,
      status.line,
      onlyOnBox,
      publicAt,
      element('div', { class: 'card-buttons' }, links, ...buttons.map(({ made }) => made)),
    ),
  );

  /** @param {import('./model.js').App} next */
  function update(next) {
    app = next;
    const focused = item.contains(document.activeElement) ? document.activeElement : null;
    setText(heading, next.title);
    setText(version, next.version ? `Version ${next.version}` : '');
    setText(newer, next.newerVersion ? `Version ${next.newerVersion} is available` : '');
    state.show(next);
    setText(description, next.description);
    setHidden(description, next.description === '');
    setText(error, next.error ? `This app is broken: ${next.error}` : '');
    setHidden(error, next.error === '' || next.stateDetail.includes(next.error));
    setText(about, next.about);
    setHidden(more, next.about === '' || next.about === next.description);
    for (const { made, press, text, kind, isFor } of buttons) {
      setHidden(made, !isFor(next));
      const shown = buttonText(press, text, next);
      setText(made, shown);
      made.setAttribute('aria-label', `${shown} ${next.title}`);
      made.className = `button ${isPrimary(press, next) ? 'primary' : kind}`;
    }
    const nextIcon = next.icon ?? 'none';
    if (nextIcon !== shownIcon) icon.replaceChildren(iconImage(next.icon));
    shownIcon = nextIcon;
    const found = openLinks(next, hostname);
    const nextLinks = JSON.stringify(found);
    if (nextLinks !== shownLinks) links.replaceChildren(...openers(found, next.title));
    shownLinks = nextLinks;
    setHidden(links, found.length === 0);
    setText(onlyOnBox, onlyOnBoxText(next, hostname));
    setHidden(onlyOnBox, onlyOnBox.textContent === '');
    const nextPublic = next.publicUrls.join(' ');
    if (nextPublic !== shownPublic) publicAt.replaceChildren(...publicLinks(next.publicUrls));
    shownPublic = nextPublic;
    setHidden(publicAt, nextPublic === '');
    showBusy();
    if (focused && !focused.checkVisibility()) heading.focus({ preventScroll: true });
  }

  /** A change of the app that is under way leaves nothing to press, whichever page asked for it. */
  function showBusy() {
    const isUnderWay = app.operation !== null;
    const isRunning = shownStatus?.kind === 'running';
    // The line of the state says already what is done.
    status.show(shownStatus && isRunning && isUnderWay ? underWayStatus(shownStatus) : shownStatus);
    for (const { made } of buttons) made.setAttribute('aria-disabled', String(isRunning || isUnderWay));
  }

  update(first);
  return {
    item,
    heading,
    update: (next) => {
      if (!isSameApp(app, next)) update(next);
    },
    showStatus: (shown) => {
      if (shown === shownStatus) return;
      shownStatus = shown;
      const hadFocus = status.line.contains(document.activeElement);
      showBusy();
      if (hadFocus && !status.line.contains(document.activeElement)) heading.focus({ preventScroll: true });
    },
    tick: status.tick,
  };
}

/**
 * @param {import('./operations.js').Status} status
 * @returns {import('./operations.js').Status}
 */
function underWayStatus(status) {
  return { ...status, text: 'Under way' };
}

/** The state of an installed app: a sign, a word, one sentence, and what to do. A change that is under way replaces it. */
function makeStateLine() {
  const sign = element('span', { class: 'sign', attributes: { 'aria-hidden': 'true' } });
  const word = element('strong', {});
  const detail = element('span', { class: 'state-detail' });
  const help = element('p', { class: 'state-help' });
  const text = element('p', {}, sign, ' ', word, detail);
  const bar = element('progress', {});
  const line = element('div', { class: 'state' }, text, bar, help);
  return {
    line,
    /** @param {import('./model.js').App} app */
    show: ({ title, state, stateDetail, operation }) => {
      setHidden(line, state === null && operation === null);
      showBar(bar, title, operation);
      if (operation !== null) {
        line.className = 'state starting';
        setText(sign, stateWords.starting.sign);
        setText(word, operationText(operation));
        setText(detail, `, since ${new Date(operation.since).toLocaleTimeString(undefined, { timeStyle: 'short' })}.`);
        help.replaceChildren();
        return;
      }
      if (state === null) return;
      line.className = `state ${state}`;
      setText(sign, stateWords[state].sign);
      const [first, rest] = stateText(state, stateDetail);
      setText(word, first);
      setText(detail, rest);
      help.replaceChildren(...withCode(stateHelp(state)));
    },
  };
}

/**
 * @param {HTMLProgressElement} bar
 * @param {string} title
 * @param {import('../api.js').AppOperation | null} operation
 */
function showBar(bar, title, operation) {
  const total = operation?.bytes_total;
  setHidden(bar, total === undefined);
  if (total === undefined) return;
  bar.setAttribute('aria-label', `Pulled for ${title}`);
  bar.max = total;
  bar.value = operation?.bytes ?? 0;
}

/** @param {string[]} urls */
function publicLinks(urls) {
  const links = urls.map((url) => {
    const attributes = { href: url, target: '_blank', rel: 'noopener noreferrer', title: `${url}, in a new tab` };
    return element('a', { text: url.replace(/^https:\/\//, ''), attributes });
  });
  return ['Public: ', ...links.flatMap((link, index) => (index === 0 ? [link] : [', ', link]))];
}

/**
 * @param {ReturnType<typeof openLinks>} found
 * @param {string} title
 */
function openers(found, title) {
  return found.map(({ href, label, port }) => {
    const text = found.length === 1 ? 'Open' : `Open ${label || port}`;
    return element('a', {
      class: 'button primary',
      text,
      attributes: {
        href,
        target: '_blank',
        rel: 'noopener noreferrer',
        title: `${label ? `${label}, port` : 'Port'} ${port}, in a new tab`,
        'aria-label': `${text} ${title} in a new tab`,
      },
    });
  });
}
