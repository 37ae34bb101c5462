import { equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeBackups } from '../../box/backup/make-backup.ts';
import { reconcile } from '../../box/engine/reconcile.ts';
import { checkFit, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { ResticFailed } from '../../restic/ports.ts';
import { openConsole, phone } from './testing/console-screen.ts';

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
    await page
      .locator('.row span')
      .getByText(/^A backup of every app is made each night\..* The next one begins .*2026/)
      .waitFor();
    await press(page, 'Check: the backups');
    await said(/^the backups are in order; part 1 of 30/);
    await press(page, 'Show the key: of the backups');
    await press(dialog, 'Show it');
    await dialog.getByText('the key', { exact: true }).waitFor();
    await press(dialog, 'Close');
    await page.evaluate(() => scrollTo(0, 0));
    await checkFit(page);

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

test('the files of a backup are opened folder by folder, and one of them is downloaded', needsBrowser, async (t) => {
  const strange = 'a "b"\n<i>c.txt';
  const { page, open } = await openConsole(
    t,
    async ({ box, installed, repository }) => {
      installed('notes', { 'rows/file': 'one', [`rows/${strange}`]: 'two' });
      await reconcile(box, null);
      repository.isInstalled = true;
      await makeBackups(box, { name: 'notes', tell: () => undefined, isStopping: () => false });
    },
    phone,
  );
  await open('backups/notes');
  await page.getByRole('link', { name: /^Look at its files/ }).click();
  await page.getByRole('heading', { name: 'Files of notes' }).waitFor();
  await page.getByRole('link', { name: 'Settings and files' }).click();
  await page.getByRole('link', { name: 'rows/' }).click();
  await page.getByText('Settings and files/rows').waitFor();
  await checkFit(page);
  for (const [name, saved, text] of [
    ['file', 'file', 'one'],
    ['a "b"\\u{a}<i>c.txt', /^a .b.+c\.txt$/, 'two'],
    ['Download this folder', /^notes-rows-1970-01-01\.tar$/, /^an archive of .*rows$/],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    match(download.suggestedFilename(), new RegExp(saved));
    match(readFileSync(await download.path(), 'utf8'), new RegExp(text));
  }
  await page.getByRole('link', { name: /^Back:/ }).click();
  await page.getByRole('link', { name: 'rows/' }).waitFor();
});

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
  await press(page, 'Try the backup: notes');
  await said(/^a backup of notes is under way: wait until it has ended/);
  resolve();
  await said(/notes: backup/);
});

test('an empty box takes over backups, and brings back what is chosen of them', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(
    t,
    async ({ box, installed, repository }) => {
      for (const name of ['films', 'notes', 'wiki']) installed(name, { 'rows/file': name });
      repository.isInstalled = true;
      await makeBackups(box, { name: '', tell: () => undefined, isStopping: () => false });
      for (const name of ['films', 'notes', 'wiki']) await box.trash.put(name);
      const { kept } = repository;
      Object.assign(repository, { kept: [], isMade: false, adopt: adopting });
      box.backup.place = { ...box.backup.place, isFixed: true };
      async function adopting(key: string) {
        if (key !== 'the key') throw new ResticFailed('the backups have another key', 'wrong-key');
        repository.kept = kept;
        return [{ host: 'here', latest: new Date('2026-11-28T02:30:00Z') }];
      }
    },
    phone,
  );
  await open('bring-back');
  await page.getByText('This box has no app and no backup yet.').waitFor();
  const key = page.getByLabel('The key of the backups');
  await key.fill('wrong');
  await press(page, 'Look what is there');
  await said(/^the backups have another key/);
  await key.fill(' the key ');
  await press(page, 'Look what is there');
  await said(/are those of this box now\nhere made some until .*must not make more/);
  await page.getByRole('checkbox', { name: /^wiki, version 1\.0\.0/ }).uncheck();
  await checkFit(page);
  testBox.repository.failing.set('restore', new ResticFailed('the disk is gone', 'away'));
  await press(page, 'Bring back: what is chosen');
  await said(/^Not all is back: see below/);
  await page.getByText(/^Was not restored: the disk is gone/).waitFor();
  await page.getByText(/^notes is as it was at/).waitFor();
  await checkFit(page);
  equal(testBox.file('notes/rows/file'), 'notes');
  await press(page, 'Try again: films');
  await said(/^All that was chosen is back/);
  equal(testBox.file('films/rows/file'), 'films');
  await page.getByRole('checkbox', { name: /^wiki, version 1\.0\.0/ }).waitFor();
  equal(JSON.stringify(testBox.changes).includes('the key"'), false);
});
