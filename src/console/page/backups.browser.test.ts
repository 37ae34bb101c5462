import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackups } from '../../box/backup/make-backup.ts';
import { withBackup } from '../../box/backup/rules/backup-runs.ts';
import { reconcile } from '../../box/engine/reconcile.ts';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import { openConsole } from './testing/console-screen.ts';

/** Axe adds styles, which the page's policy would refuse. */
const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };

test(
  'backups are made, checked, scheduled and restored, and the key is shown after a question',
  needsBrowser,
  async (t) => {
    const { testBox, page, open, said } = await openConsole(
      t,
      async ({ box, installed, repository }) => {
        installed('notes', { 'rows/file': 'one' });
        await reconcile(box, null);
        repository.isInstalled = true;
      },
      phone,
    );
    const dialog = page.getByRole('dialog');
    await open('backups');
    await page.getByText('There is no backup yet.').waitFor();
    await press(page, 'Back up now: all apps');
    await said(/notes: backup \w+ of 1\.0 kB/);
    await page.getByText('Version 1.0.0, made by hand. The app was away for 0.0 s.').waitFor();
    await press(page, 'Switch on: backups of every night');
    await page.getByText(/^A backup of every app is made each night\..* The next one begins .*2026/).waitFor();
    await press(page, 'Check: the backups');
    await said(/^the backups are in order; part 1 of 30/);
    await press(page, 'Show the key: of the backups');
    await press(dialog, 'Show it');
    await dialog.getByText('the key', { exact: true }).waitFor();
    await press(dialog, 'Close');
    await page.evaluate(() => scrollTo(0, 0));
    deepEqual([await accessibilityFaults(page), await overflow(page)], [[], 0]);

    testBox.installed('notes', { 'rows/file': 'two' });
    await open('backups/notes');
    await page.getByRole('button', { name: /^Restore: notes, / }).click();
    match(await dialog.innerText(), /This also goes back to version 1\.0\.0/);
    await press(dialog, 'Cancel');
    equal(testBox.file('notes/rows/file'), 'two');
    await page.getByRole('button', { name: /^Restore: notes, / }).click();
    await press(dialog, 'Restore');
    await said(/^notes is as it was at .* and runs/);
    equal(testBox.file('notes/rows/file'), 'one');
    equal(JSON.stringify(testBox.changes).includes('the key"'), false);

    await page
      .getByRole('button', { name: /^Restore: notes, / })
      .first()
      .click();
    await dialog.getByRole('textbox').fill('not/a name');
    await press(dialog, 'Restore');
    await said(/name/);
  },
);

test('a work under way is told after a reload, and no second one begins', needsBrowser, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { page, open, said } = await openConsole(t, async ({ box, installed, repository }) => {
    installed('notes');
    await reconcile(box, null);
    repository.isInstalled = true;
    const { prepare } = repository;
    repository.prepare = async () => {
      await promise;
      return prepare.call(repository);
    };
  });
  await open('backups/notes');
  await press(page, 'Back up now: notes');
  await said(/^A backup of notes is under way since/);
  await page.reload();
  await said(/^A backup of notes is under way since/);
  await press(page, 'Rehearse: notes');
  await said(/^a backup of notes is under way: wait until it has ended/);
  resolve();
  await said(/notes: backup/);
});

test('after a bad night the room says which app has no backup, one sentence for one cause', needsBrowser, async (t) => {
  const names = ['feeds', 'memos', 'notes', 'photos', 'tasks', 'wiki'];
  const { page, open } = await openConsole(t, async ({ box, installed, repository }) => {
    for (const name of names) installed(name);
    repository.isInstalled = true;
    await makeBackups(box, { name: 'feeds', tell: () => undefined, isStopping: () => false });
    const failure = 'no backup: the repository does not answer';
    const now = box.now();
    await box.backup.runs.change((runs) => {
      const failed = names.slice(1).reduce((before, name) => withBackup(before, name, failure, now), runs);
      return { ...failed, enabledAt: now.toISOString(), endedAt: now.toISOString() };
    });
    repository.kept.push({ ...repository.kept[0], id: '99', shortId: '99', isOwn: false, host: 'attic' } as never);
  });
  await open('backups');
  await page.getByText(/^Memos, notes, photos, tasks, wiki: no backup: the repository does not answer/).waitFor();
  await page.getByText(/^Another machine, attic, made the latest backup of feeds/).waitFor();
  equal(await page.locator('.warning').count(), 2);
  equal(await page.getByText('It has no backup.').count(), 5);
  await page.getByText(/^Its latest backup is \d+ days old\./).waitFor();
});

test('without restic the room says what is missing', needsBrowser, async (t) => {
  const { page, open } = await openConsole(t, ({ repository }) => {
    repository.snapshots = async () => {
      await repository.prepare();
      return [];
    };
  });
  await open('backups');
  await page.getByText('The program restic is not installed').waitFor();
});
