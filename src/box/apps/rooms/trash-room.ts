import { shownName } from '../../../lib/shown-text.ts';
import { titlesOf } from '../../app-files/catalogue.ts';
import { note, type Room, type Row } from '../../report.ts';
import { momentText } from '../../rules/text/amounts.ts';
import type { AppsBox } from '../ports.ts';
import { deleteRemovedApp, listRemovedApps, type RemovedApp } from '../removed-apps.ts';

export function trashRoom(box: AppsBox): Room {
  const fields = { id: 64 };
  return {
    path: 'trash',
    title: 'Removed apps',
    group: 'storage',
    async read() {
      const titles = titlesOf(box);
      const rows = listRemovedApps(box).map((app) => removedRow(app, titles.get(app.name) ?? app.name));
      const kept = `An app that you remove is kept here for ${box.keepRemovedDays} days with all its data, and can come back.`;
      return { sections: [{ rows: [note(kept), ...(rows.length > 0 ? rows : [note('There is none.')])] }] };
    },
    async print() {
      const kept = box.trash.list();
      const lines = kept.map(({ name, removedAt }) => `${shownName(name)}	removed ${removedAt.toISOString()}`);
      return { status: 0, lines };
    },
    actions: {
      restore: {
        verb: 'restore from the trash',
        fields,
        run: async ({ id = '' }) => (await import('../restore-removed.ts')).restoreRemovedApp(box, id),
      },
      delete: { verb: 'delete from the trash', fields, run: ({ id = '' }) => deleteRemovedApp(box, id) },
    },
  };
}

function removedRow({ id, removedAt, deletedAt, isReplaced }: RemovedApp, title: string): Row {
  const of = { about: title, given: { id } };
  const restore = { ...of, act: 'trash/restore', label: 'Restore', kind: 'primary' } as const;
  const text =
    'Its folder is deleted for good, with its settings and all data in it. Data that it keeps elsewhere in Docker stays.';
  const question = { title: `Delete ${title} for good?`, text, answer: 'Delete for good' };
  const remove = { ...of, act: 'trash/delete', label: 'Delete now', kind: 'danger', question } as const;
  const replaced = 'An app of this name is installed again. To restore this one, remove that one first.';
  return {
    text: title,
    facts: [
      `Removed ${momentText(removedAt)}. Deleted for good ${momentText(deletedAt)}.`,
      ...(isReplaced ? [replaced] : []),
    ],
    actions: [
      ...(isReplaced ? [] : [{ ...restore, doing: `Restoring ${title}` }]),
      { ...remove, doing: `Deleting ${title}` },
    ],
  };
}
