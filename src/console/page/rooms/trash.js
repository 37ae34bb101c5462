/** The trash: removed apps that are still kept. */

import { ask } from '../../../box/page/dialogs.js';
import { element } from '../../../box/page/dom.js';
import { buttonFor, listOf, listRow, shownTime } from '../visit.js';

/** @typedef {import('../visit.js').Schemas['RemovedApp']} RemovedApp */

/** @type {import('../visit.js').Room} */
export const trashRoom = {
  path: 'trash',
  title: 'Trash',
  async open(visit) {
    /** @type {{ apps: RemovedApp[] } | null} */
    const trash = await visit.get('trash');
    if (trash === null) return;
    const nothing = 'Nothing is in the trash. An app that you remove is kept here for some days, with all its data.';
    const rows = trash.apps.map((app) => removedRow(visit, app));
    visit.place.replaceChildren(rows.length > 0 ? listOf(rows) : element('p', { class: 'note', text: nothing }));
  },
};

/**
 * @param {import('../visit.js').Visit} visit
 * @param {RemovedApp} app
 */
function removedRow(visit, app) {
  const { id, name } = app;
  const redraw = async () => {
    visit.focusTitle();
    await trashRoom.open(visit);
  };
  const restore = buttonFor('Restore', name, 'primary', async (pressed) => {
    if (await visit.change(pressed, `Restoring ${name}`, 'trash/restore', { id })) await redraw();
  });
  const remove = buttonFor('Delete now', name, 'danger', async (pressed) => {
    if (!(await askToDelete(name))) return;
    if (await visit.change(pressed, `Deleting ${name}`, 'trash/delete', { id })) await redraw();
  });
  const sentences = [`Removed ${shownTime(app.removed_at)}. Deleted for good ${shownTime(app.deleted_at)}.`];
  if (app.is_replaced)
    sentences.push('An app of this name is installed again. To restore this one, remove that one first.');
  return listRow(name, sentences, app.is_replaced ? [remove] : [restore, remove]);
}

/** @param {string} name */
async function askToDelete(name) {
  const text =
    'Its folder is deleted for good, with its settings and all data in it. Its volumes and images in Docker stay.';
  const answer = await ask(
    `Delete ${name} for good?`,
    [element('p', { text })],
    [
      { answer: 'delete', text: 'Delete for good', kind: 'danger' },
      { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
    ],
  );
  return answer === 'delete';
}
