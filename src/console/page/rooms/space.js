/** Space: what takes the disks, and what can go. */

import { element } from '../../../box/page/dom.js';
import { buttonFor, listOf, listRow, shownTime, sizeText } from '../visit.js';
import { missingDisk } from './app.js';

/** @typedef {import('../visit.js').Schemas['Space']} Space */
/** @typedef {import('../visit.js').Visit} Visit */

/** @type {import('../visit.js').Room} */
export const spaceRoom = {
  path: 'space',
  title: 'Space',
  async open(visit) {
    const counting = element('p', { class: 'note', text: 'Counting. This may take most of a minute.' });
    visit.place.replaceChildren(counting);
    /** @type {Space | null} */
    const space = await visit.get('space');
    if (space === null) return counting.remove();
    visit.place.replaceChildren(
      ...heldApps(visit, space),
      ...spaceSection('Disks', space.disks.map(diskInRow)),
      ...(space.problem === null
        ? []
        : [element('p', { class: 'warning' }, `Images and volumes are not counted: ${space.problem}`)]),
      ...spaceSection('Apps', space.apps.map(spaceOfApp)),
      ...spaceSection('Also', otherSpace(visit, space)),
    );
  },
};

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
function spaceSection(title, rows) {
  return rows.length === 0 ? [] : [element('h3', { text: title }), listOf(rows)];
}

/** @param {Visit} visit @param {Space} space */
function heldApps(visit, { held: apps }) {
  const redraw = async () => {
    visit.focusTitle();
    await spaceRoom.open(visit);
  };
  const rows = apps.map(({ name, problem }) => {
    const held = [element('h3', { text: name }), ...missingDisk(visit, name, problem, redraw)];
    return element('li', { class: 'row' }, element('div', {}, ...held));
  });
  return spaceSection('A disk is missing', rows);
}

/** @param {Space['disks'][number]} disk */
function diskInRow({ uses, free, size, is_low: isLow }) {
  const amount = `${spaceText(free)} of ${spaceText(size)} free`;
  return listRow(isLow ? `${amount}: nearly full` : amount, [`On it: ${uses.join(', ')}.`]);
}

/** @param {Space['apps'][number]} app */
function spaceOfApp({ title, folder, images, volumes }) {
  const whole = volumes.reduce((sum, { bytes }) => sum + bytes, (folder ?? 0) + images);
  const parts = [`Folder ${spaceText(folder)}, images ${spaceText(images)}`, ...volumes.map(volumeText)];
  return listRow(`${title}: ${spaceText(whole)}`, [`${parts.join(', ')}.`]);
}

/** @param {Space['other_volumes'][number]} volume */
function volumeText({ name, bytes }) {
  return `volume ${name} ${spaceText(bytes)}`;
}

/** @param {Visit} visit @param {Space} space */
function otherSpace(visit, space) {
  const { replaced, other_volumes: volumes, backups } = space;
  const free = buttonFor('Remove now', 'images that updates have replaced', 'primary', async (pressed) => {
    if (!(await visit.change(pressed, 'Removing images', 'space/free', {}))) return;
    visit.focusTitle();
    await spaceRoom.open(visit);
  });
  const ofReplaced = replaced.map(
    ({ app, tag, bytes, goes_at: goesAt }) => `${tag} of ${app}: ${spaceText(bytes)}, goes ${shownTime(goesAt)}.`,
  );
  const rows = [
    listRow(
      `Images that updates have replaced: ${spaceText(totalBytes(replaced))}`,
      ofReplaced.length === 0 ? ['There are none.'] : ofReplaced,
      ofReplaced.length === 0 ? [] : [free],
    ),
    listRow(element('a', { text: `Trash: ${spaceText(space.trash)}`, attributes: { href: '#/trash' } }), [
      'Removed apps, which are kept for some days.',
    ]),
    listRow(`Backups: ${spaceText(backups.bytes)}`, [`At ${backups.address}.`]),
  ];
  if (space.problem !== null) return rows;
  const names = volumes.map(volumeText).join(', ');
  return [
    ...rows,
    listRow(`Volumes of no installed app: ${spaceText(totalBytes(volumes))}`, [
      volumes.length === 0
        ? 'There are none.'
        : `${names}. The box never removes a volume: docker volume rm NAME does.`,
    ]),
    listRow(`Images of no installed app: ${spaceText(space.other_images)}`, [
      'The box removes only images that its own updates replaced. docker image prune -a removes all that are unused.',
    ]),
  ];
}

/** @param {{ bytes: number }[]} all */
function totalBytes(all) {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @param {number | null} bytes */
function spaceText(bytes) {
  return bytes === null ? 'not counted' : sizeText(bytes);
}
