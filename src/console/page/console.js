/** Opens the room that the address names, such as `#/trash`. */

import { byId, element } from '../../box/page/dom.js';
import { offerSchemes } from '../../box/page/scheme/scheme.js';
import { drawSections } from './draw.js';
import { makeVisit, setTitle } from './visit.js';

offerSchemes();

let leaving = new AbortController();

byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('content').focus();
});
addEventListener('hashchange', () => {
  openRoom();
  byId('room-title').focus();
});
openRoom();

function openRoom() {
  const named = location.hash.replace(/^#\/?/, '') || 'apps';
  // Dots would lead the browser to another path of the box.
  const isPlain = named.split('/').every((part) => !/^(?:\.|%2e){0,2}$/i.test(part));
  const address = isPlain ? named : 'unknown';
  leaving.abort();
  leaving = new AbortController();
  let [title, waiting] = ['', ''];
  for (const link of byId('rooms').querySelectorAll('a')) {
    const own = link.hash.replace(/^#\/?/, '') || 'apps';
    const isHere = own === address.split('/')[0];
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (isHere) title = link.text;
    if (own === address) waiting = link.dataset.waiting ?? '';
  }
  const place = element('div', {}, waiting === '' ? null : element('p', { class: 'note waiting', text: waiting }));
  byId('room').replaceChildren(place);
  /** @type {import('./visit.js').Visit} */
  const visit = makeVisit(address, title, place, leaving.signal, (below, sections) =>
    drawSections(visit, below, sections),
  );
  visit.say('');
  setTitle(title || 'Settings');
  void visit.draw();
}
