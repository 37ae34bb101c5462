import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import { openConsole } from './testing/console-screen.ts';

/** Axe adds styles, which the page's policy would refuse. */
const forAxe = { bypassCSP: true };

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

test('every room says once that Docker does not answer, and fits a phone', needsBrowser, async (t) => {
  const phone = { ...forAxe, viewport: { width: 390, height: 800 } };
  const arrange = ({ installed, containers }: Parameters<Parameters<typeof openConsole>[1]>[0]) => {
    installed('notes');
    containers.fail('observe', 'Cannot connect to the Docker daemon.', true);
  };
  const { page, open } = await openConsole(t, arrange, phone);
  for (const room of ['', 'apps/notes']) {
    await open(room);
    equal(await page.getByText(/Docker does not answer/).count(), 1, room);
    equal(await overflow(page), 0, room);
    deepEqual(await accessibilityFaults(page), [], room);
  }
});
