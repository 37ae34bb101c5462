/** Opens what the address names: a group of rooms, such as `#/storage`, a room in it, or one room, such as `#/apps/notes`. */

import { byId, element, setText } from '../../box/page/dom.js';
import { offerHomeScreen } from '../../box/page/home-screen/home-screen.js';
import { offerSchemes } from '../../box/page/scheme/scheme.js';
import { drawSections } from './draw.js';
import { makeVisit } from './visit.js';

/** @import { Visit } from './visit.js' */

offerSchemes();
offerHomeScreen();

let leaving = new AbortController();
/** The group that is shown; empty for one room alone. */
let shownGroup = '';

byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('content').focus();
});
addEventListener('hashchange', () => {
  openAddress();
  (partTitle() ?? byId('room-title')).focus();
});
openAddress();

function openAddress() {
  const address = addressIn(location);
  if (address === 'apps') return location.replace('/apps');
  const [first = ''] = address.split('/');
  const links = linksIn('#parts');
  const group = links.find((link) => addressIn(link) === first)?.dataset.group ?? first;
  const parts = first === address ? links.filter(({ dataset, text }) => dataset.group === group && text !== '') : [];
  const isShown = parts.length > 0 && group === shownGroup;
  shownGroup = parts.length > 0 ? group : '';
  if (!isShown) showRooms(address, markPlace(group, first === address ? '' : first), parts);
  partTitle()?.scrollIntoView();
}

/** The heading of the part that the address names; none if it names the whole group. */
function partTitle() {
  const address = addressIn(location);
  return address === shownGroup ? null : document.getElementById(`part-${address}`);
}

/** `apps/notes` of `#/apps/notes`; of a link to another page, its path. @param {Location | HTMLAnchorElement} link */
function addressIn({ hash, pathname }) {
  if (!pathname.startsWith('/settings/')) return pathname.slice(1);
  const named = hash.replace(/^#\/?/, '') || 'box';
  // Dots would lead the browser to another path of the box.
  return named.split('/').every((part) => !/^(?:\.|%2e){0,2}$/i.test(part)) ? named : 'unknown';
}

/** @param {string} place */
function linksIn(place) {
  return [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(`${place} a`))];
}

/**
 * Marks the link to a group, and offers the way back from a room that belongs to an app or a store. Returns the group's
 * title.
 * @param {string} group
 * @param {string} above the address to go back to; empty without one
 */
function markPlace(group, above) {
  for (const link of linksIn('header nav')) {
    if (addressIn(link) === group) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const all = [...linksIn('header nav'), ...linksIn('#parts')];
  const parent = all.find((link) => addressIn(link) === above && link.text !== '');
  byId('back').hidden = parent === undefined;
  if (parent !== undefined) {
    const href = parent.getAttribute('href') ?? '';
    byId('back').replaceChildren(element('a', { text: `Back to ${parent.text}`, href }));
  }
  return document.querySelector('header [aria-current]')?.textContent ?? 'Loading…';
}

/**
 * Leaves what is shown, and reads the new rooms: each by itself, so that a slow one holds up no other.
 * @param {string} address
 * @param {string} title
 * @param {HTMLAnchorElement[]} parts the rooms of a group; none for a room alone
 */
function showRooms(address, title, parts) {
  leaving.abort();
  leaving = new AbortController();
  const isAlone = parts.length < 2;
  const [only] = isAlone ? parts : [];
  const shownTitle = only?.text ?? title;
  setText(byId('room-title'), shownTitle);
  document.title = shownTitle;
  byId('parts').hidden = isAlone;
  for (const link of linksIn('#parts')) link.hidden = !parts.includes(link);
  byId('room').replaceChildren();
  const drawn = isAlone
    ? [addRoom(address, shownTitle, only?.dataset.waiting, byId('room-title'))]
    : parts.map((link) => addRoom(addressIn(link), link.text, link.dataset.waiting));
  keepInSight(drawn);
}

/**
 * @param {string} address
 * @param {string} title until the room says another one
 * @param {string} [waiting] what is said while it is read
 * @param {HTMLElement} [own] its heading, if it has one already
 */
function addRoom(address, title, waiting, own) {
  const heading = own ?? element('h2', { text: title, id: `part-${address}`, tabindex: '-1' });
  const said = element('p', { class: 'said', role: 'status' });
  const place = element('div', {}, element('p', { class: 'note waiting', text: waiting || 'Loading…' }));
  const parts = own === undefined ? [heading, said, place] : [said, place];
  byId('room').append(element('section', { class: 'room', 'aria-labelledby': own ? undefined : heading.id }, ...parts));
  /** @type {Visit} */
  const visit = makeVisit({ address, title, heading, said, place }, leaving.signal, (below, sections) =>
    drawSections(visit, below, sections),
  );
  return visit.draw();
}

/**
 * Keeps the part that the address names where the owner sees it while those above it grow, until he moves.
 * @param {Promise<boolean>[]} drawn
 */
function keepInSight(drawn) {
  const { signal } = leaving;
  let hasMoved = false;
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(type, () => (hasMoved = true), { once: true, signal, passive: true });
  }
  for (const one of drawn) {
    void one.then(() => {
      if (!hasMoved && !signal.aborted) partTitle()?.scrollIntoView();
    });
  }
}
