import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { forAxe, openConsole } from './testing/console-screen.ts';

test('a removed app is restored, or deleted for good after a question', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(
    t,
    async ({ box, installed }) => {
      for (const name of ['notes', 'old <b>notes']) {
        installed(name);
        await box.trash.put(name);
      }
    },
    forAxe,
  );
  await open('trash');
  equal(await page.title(), 'Trash – Settings');
  equal(await page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current]').innerText(), 'Trash');
  deepEqual(await accessibilityFaults(page), []);

  await press(page, 'Restore: notes');
  await said(/^notes is back and runs/);
  equal(await page.evaluate(() => document.activeElement?.id), 'room-title');
  match(testBox.file('notes/manifest.json'), /1\.0\.0/);
  await page.getByRole('heading', { name: 'notes', exact: true }).waitFor({ state: 'detached' });

  await press(page, 'Delete now: old <b>notes');
  await press(page.getByRole('dialog'), 'Cancel');
  equal(testBox.box.trash.list().length, 1);
  await press(page, 'Delete now: old <b>notes');
  await press(page.getByRole('dialog'), 'Delete for good');
  await said(/^old <b>notes is deleted for good$/);
  await page.getByText('Nothing is in the trash.').waitFor();
  deepEqual(testBox.box.trash.list(), []);
  deepEqual(
    testBox.changes.map(({ operation, outcome, by }) => `${operation}: ${outcome}, ${by}`),
    ['restore from the trash: ok, from 127.0.0.1', 'delete from the trash: ok, from 127.0.0.1'],
  );
});
