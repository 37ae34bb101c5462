/** An app's card. It is made once and then only changed where something differs, so that focus stays where it is. */
import { button, element, setText } from './dom.js';
import { iconImage } from './icon.js';
import { elapsedText, openLinks } from './model.js';

/**
 * @typedef {object} CardPresses
 * @property {(app: import('./model.js').App) => void} install
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
  ['install', 'Install', 'primary', (app) => app.state === 'available'],
  ['settings', 'Settings', 'quiet', (app) => app.state === 'installed' && app.hasSettings],
  ['update', 'Update', 'quiet', (app) => app.state !== 'available'],
  ['reinstall', 'Reinstall', 'quiet', (app) => app.state !== 'available'],
  ['remove', 'Remove', 'quiet danger-text', (app) => app.state !== 'available'],
];

/**
 * @param {import('./model.js').App} first
 * @param {CardPresses} presses
 * @param {string} hostname
 * @returns {Card}
 */
export function makeCard(first, presses, hostname) {
  let app = first;
  let shownIcon = '';
  let shownPorts = '';
  // Encoded: a list of ids is separated by blanks, which a name may have.
  const id = `app-${first.state}-${encodeURIComponent(first.name)}`;
  const heading = element('h3', { attributes: { tabindex: '-1', id } });
  const icon = element('div', { class: 'icon' });
  const version = element('p', { class: 'version' });
  const description = element('p', { class: 'description' });
  const error = element('p', { class: 'status refused' });
  const about = element('p', { class: 'about-text' });
  const more = element('details', { class: 'about' }, element('summary', { text: 'About this app' }), about);
  const links = element('div', { class: 'links' });
  const status = makeStatusLine();
  const buttons = cardButtons.map(([press, text, kind, isFor]) => {
    const made = button(text, kind, () => presses[press](app), `${text} ${first.title}`);
    return { made, text, isFor };
  });
  const item = element(
    'li',
    { class: 'card', attributes: { 'data-app': first.name } },
    element(
      'article',
      { attributes: { 'aria-labelledby': heading.id } },
      element('div', { class: 'card-head' }, icon, element('div', { class: 'card-title' }, heading, version)),
      description,
      error,
      more,
      status.line,
      element('div', { class: 'card-buttons' }, links, ...buttons.map(({ made }) => made)),
    ),
  );

  /** @param {import('./model.js').App} next */
  function update(next) {
    app = next;
    setText(heading, next.title);
    setText(version, next.version ? `Version ${next.version}` : '');
    setText(description, next.description);
    description.hidden = next.description === '';
    setText(error, next.error ? `This app is broken: ${next.error}` : '');
    error.hidden = next.error === '';
    setText(about, next.about);
    more.hidden = next.about === '' || next.about === next.description;
    for (const { made, text, isFor } of buttons) {
      made.hidden = !isFor(next);
      made.setAttribute('aria-label', `${text} ${next.title}`);
    }
    const nextIcon = next.icon ?? 'none';
    if (nextIcon !== shownIcon) icon.replaceChildren(iconImage(next.icon));
    shownIcon = nextIcon;
    const nextPorts = next.state === 'installed' ? JSON.stringify(next.ports) : '';
    if (nextPorts !== shownPorts) links.replaceChildren(...openers(next, hostname));
    shownPorts = nextPorts;
    links.hidden = links.childElementCount === 0;
  }

  update(first);
  return {
    item,
    heading,
    update,
    showStatus: (shown) => {
      status.show(shown);
      for (const { made } of buttons) made.setAttribute('aria-disabled', String(shown?.kind === 'running'));
    },
    tick: status.tick,
  };
}

/**
 * @param {import('./model.js').App} app
 * @param {string} hostname
 */
function openers(app, hostname) {
  const found = openLinks(app.ports, hostname);
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
        'aria-label': `${text} ${app.title} in a new tab`,
      },
    });
  });
}

/** Signs beside the words, for those who see no colours. */
const signs = { running: '', done: '✓', partial: '!', refused: '✕', unknown: '?' };

/** What is happening to an app and for how long, or how the latest operation ended. */
export function makeStatusLine() {
  const sign = element('span', { class: 'sign', attributes: { 'aria-hidden': 'true' } });
  const text = element('span', { class: 'status-text' });
  const elapsed = element('span', { class: 'elapsed' });
  const again = element('span', {});
  const line = element(
    'p',
    { class: 'status', hidden: true },
    sign,
    element('span', {}, text, elapsed, again),
  );
  /** @type {import('./operations.js').Status | undefined} */
  let current;
  const tick = () => {
    if (current?.since !== undefined) setText(elapsed, ` ${runningTail(performance.now() - current.since)}`);
  };
  /** @param {import('./operations.js').Status | undefined} status */
  const show = (status) => {
    if (status === current) return;
    current = status;
    line.hidden = !status;
    line.className = `status ${status?.kind ?? ''}`;
    setText(sign, status ? signs[status.kind] : '');
    setText(text, status?.text ?? '');
    setText(elapsed, '');
    const retry = status?.again;
    again.replaceChildren(...(retry ? [' ', button('Change and try again', 'quiet small', retry)] : []));
    tick();
  };
  return { line, show, tick };
}

/** @param {number} milliseconds */
function runningTail(milliseconds) {
  const patience =
    milliseconds < 20_000
      ? ''
      : ' Large downloads take minutes; the box goes on even if you leave this page.';
  return `… ${elapsedText(milliseconds)}.${patience}`;
}
