/** The room of one app. */

import { element } from '../../../box/page/dom.js';
import { dockerNotice, stateLine } from './apps.js';

/** @type {import('../visit.js').Room} */
export const appRoom = {
  path: 'apps/',
  title: 'App',
  async open(visit) {
    /** @type {import('./apps.js').Rooms | null} */
    const rooms = await visit.get('apps');
    if (rooms === null) return;
    const app = rooms.apps.find(({ name }) => name === visit.name);
    visit.setTitle(app?.title ?? visit.name);
    if (app === undefined) return visit.place.append(element('p', { text: 'This app is not installed.' }));
    if (rooms.docker_problem !== '') return visit.place.append(dockerNotice(rooms.docker_problem));
    visit.place.append(element('p', {}, stateLine(app)));
  },
};
