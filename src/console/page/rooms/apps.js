/** The entry: all installed apps. */

import { splitOff, stateText, stateWords } from '../../../box/page/apps/app-state.js';
import { iconImage } from '../../../box/page/apps/icon.js';
import { element } from '../../../box/page/dom.js';
import { listOf, listRow } from '../visit.js';

/** @typedef {{ apps: import('../visit.js').Schemas['AppRoom'][], docker_problem: string }} Rooms */

/** @type {import('../visit.js').Room} */
export const appsRoom = {
  path: '',
  title: 'Apps',
  async open(visit) {
    /** @type {Rooms | null} */
    const rooms = await visit.get('apps');
    if (rooms === null) return;
    if (rooms.docker_problem !== '') visit.place.append(dockerNotice(rooms.docker_problem));
    if (rooms.apps.length === 0) {
      return visit.place.append(
        element(
          'p',
          { class: 'note' },
          'No app is installed. ',
          element('a', { text: 'Install one', attributes: { href: '/apps' } }),
          '.',
        ),
      );
    }
    visit.place.append(listOf(rooms.apps.map((app) => appRow(app, rooms.docker_problem === ''))));
  },
};

/**
 * @param {Rooms['apps'][number]} app
 * @param {boolean} isKnown whether Docker answers
 */
function appRow(app, isKnown) {
  const link = element('a', { text: app.title, attributes: { href: `#/apps/${encodeURIComponent(app.name)}` } });
  const icon = element('span', { class: 'icon', attributes: { 'aria-hidden': 'true' } }, iconImage(app.icon_svg));
  const row = listRow(link, isKnown ? [stateLine(app)] : []);
  row.prepend(icon);
  return row;
}

/**
 * The state as a word with its sign, and a sentence.
 * @param {Pick<Rooms['apps'][number], 'state' | 'state_detail'>} app
 */
export function stateLine({ state, state_detail: detail }) {
  const known = /** @type {keyof typeof stateWords} */ (state in stateWords ? state : 'unknown');
  const [word, rest] = stateText(known, detail);
  const sign = element('span', { class: 'sign', text: stateWords[known].sign, attributes: { 'aria-hidden': 'true' } });
  return element('span', { class: `app-state ${known}` }, sign, ' ', element('strong', { text: word }), rest);
}

/** @param {string} problem */
export function dockerNotice(problem) {
  const [title, reason] = splitOff('Docker does not answer', problem);
  return element('p', { class: 'warning' }, element('strong', { text: title }), reason);
}
