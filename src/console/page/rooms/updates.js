/** Updates: newer versions of apps, and whether they are installed by themselves. */

import { button, element } from '../../../box/page/dom.js';
import { listOf, listRow, shownTime } from '../visit.js';

/** @typedef {import('../visit.js').Schemas['NewVersions']} NewVersions */
/** @typedef {import('../visit.js').Visit} Visit */

/** @type {import('../visit.js').Room} */
export const updatesRoom = {
  path: 'updates',
  title: 'Updates',
  async open(visit) {
    /** @type {NewVersions | null} */
    const known = await visit.get('updates');
    if (known === null) return;
    const link = element('a', { text: 'the page of the apps', attributes: { href: '/apps' } });
    const looked = known.looked_at === null ? 'Nobody has looked yet.' : `Looked ${shownTime(known.looked_at)}.`;
    const nothing =
      known.looked_at === null ? [] : [element('p', { class: 'note', text: 'No newer version is known.' })];
    const look = button('Look now', 'primary', async () => {
      if (await visit.change(look, 'Asking the registries', 'updates/look', {})) await updatesRoom.open(visit);
    });
    visit.place.replaceChildren(
      element('p', {}, 'An app, and boxgate itself, is updated on ', link, '.'),
      element('h3', { text: 'Newer versions of apps' }),
      element('p', { class: 'note', text: `${looked} A look asks the registry of each image, without an account.` }),
      ...(known.apps.length === 0 ? nothing : [listOf(known.apps.map(newerOfApp))]),
      ...known.problems.map(({ image, reason }) =>
        element('p', { class: 'note', text: `${image} was not looked up: ${reason}.` }),
      ),
      element('p', {}, look),
      element('h3', { text: 'Updates by themselves' }),
      updateSchedule(visit, known),
    );
  },
};

/** @param {NewVersions['apps'][number]} app */
function newerOfApp({ title, newer, release_notes: notes }) {
  /** @type {(string | Node)[]} */
  const sentences = newer.map(({ what, of, to, since, failed_at: failed }) => {
    const name = what === 'catalogue' ? `Version ${to}` : `A newer image of ${of}`;
    const trial =
      failed === null
        ? ''
        : ` The app did not run with it ${shownTime(failed)}, and went back. It is not tried again by itself; Update on its tile tries it.`;
    return `${name}, known since ${shownTime(since)}.${trial}`;
  });
  if (notes !== null) {
    const rel = 'noreferrer noopener';
    sentences.push(
      element('a', {
        text: 'Release notes',
        attributes: { href: notes, rel, 'aria-label': `Release notes: ${title}` },
      }),
    );
  }
  return listRow(title, sentences);
}

/** @param {Visit} visit @param {NewVersions} known */
function updateSchedule(visit, { is_enabled: isEnabled, min_age_hours: hours }) {
  const input = /** @type {HTMLInputElement} */ (
    element('input', {
      attributes: { id: 'min-age', type: 'number', min: '0', max: '365', value: String(Math.round(hours / 24)) },
    })
  );
  /** @param {HTMLButtonElement} pressed @param {boolean} wanted */
  const set = async (pressed, wanted) => {
    const body = { is_enabled: wanted, min_age_hours: Math.round(Number(input.value) * 24) };
    if (!(await visit.change(pressed, 'Saving', 'updates/schedule', body))) return;
    visit.focusTitle();
    await updatesRoom.open(visit);
  };
  const on = button(isEnabled ? 'Save' : 'Turn on', 'primary', () => set(on, true));
  const off = button('Turn off', 'quiet', () => set(off, false));
  const state = isEnabled ? 'On' : 'Off';
  return element(
    'div',
    { class: 'fields' },
    element('p', {
      text: `${state}. Once a day the box looks for newer versions and updates the apps whose newer version has been known for long enough, each with a backup before it, if backups are set up.`,
    }),
    element(
      'p',
      {},
      element('label', { text: 'Days that a newer version has to be known ', attributes: { for: 'min-age' } }),
      input,
    ),
    element('div', { class: 'row-buttons' }, on, ...(isEnabled ? [off] : [])),
  );
}
