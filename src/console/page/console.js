/** Opens the room that the address names, such as `#/trash`, and shows the way to the others. */

import { byId, element } from '../../box/page/dom.js';
import { addressesRoom } from './rooms/addresses.js';
import { appRoom } from './rooms/app.js';
import { appsRoom } from './rooms/apps.js';
import { appBackupsRoom, backupsRoom } from './rooms/backups.js';
import { doctorRoom } from './rooms/doctor.js';
import { namesRoom } from './rooms/names.js';
import { notificationRoom } from './rooms/notifications.js';
import { spaceRoom } from './rooms/space.js';
import { trashRoom } from './rooms/trash.js';
import { updatesRoom } from './rooms/updates.js';
import { makeVisit } from './visit.js';

/**
 * Every room, in the order of the navigation. A room of one app is reached by the list of apps.
 * @type {import('./visit.js').Room[]}
 */
const rooms = [
  appsRoom,
  appRoom,
  backupsRoom,
  appBackupsRoom,
  namesRoom,
  addressesRoom,
  trashRoom,
  spaceRoom,
  updatesRoom,
  notificationRoom,
  doctorRoom,
];

let leaving = new AbortController();

for (const { path, title } of rooms.filter((room) => !room.path.endsWith('/'))) {
  byId('rooms').append(element('a', { text: title, attributes: { href: `#/${path}` } }));
}
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
  const address = location.hash.replace(/^#\/?/, '');
  const room = rooms.find(({ path }) => (path.endsWith('/') ? address.startsWith(path) : address === path));
  leaving.abort();
  leaving = new AbortController();
  const name = decoded(address.slice(room?.path.length ?? 0));
  const visit = makeVisit(element('div'), name, leaving.signal);
  byId('room').replaceChildren(visit.place);
  visit.say('');
  visit.setTitle(room?.title ?? 'There is no such page');
  for (const link of byId('rooms').querySelectorAll('a')) {
    const own = link.hash.replace(/^#\/?/, '');
    const isHere = own === address || (own === '' && room === appRoom);
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (room === undefined) visit.place.append(element('a', { text: 'All apps', attributes: { href: '#/' } }));
  void room?.open(visit);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // The address was typed by hand.
  }
}
