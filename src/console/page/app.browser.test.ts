import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '../../box/engine/reconcile.ts';
import type { AppOperation } from '../../box/known-apps.ts';
import { accessibilityFaults, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { forAxe, openConsole } from './testing/console-screen.ts';

test(
  'the room of an app shows it, its log and its changes, restarts it and undoes settings',
  needsBrowser,
  async (t) => {
    const { testBox, page, open, said } = await openConsole(
      t,
      async ({ installed, logs, containers, box }) => {
        installed('notes', {
          '.env': 'TITLE=`new` 2026-01-02 03:04 UTC\nPASSWORD=hunter2hunter2\n',
          '.env.bak': 'TITLE=<b>old\n',
        });
        await reconcile(box, 'notes');
        const [container] = containers.containers;
        logs.past.set(container?.id ?? '', '2026-01-02T03:04:05.000000000Z <b>bold</b> \x1b[31m hunter2hunter2\n');
      },
      forAxe,
    );
    const update = { kind: 'update', since: '2026-01-02T03:04:05Z' } as const;
    const shown: AppOperation[] = [
      { ...update, step: 'pulling' },
      { ...update, step: 'rolling_back' },
    ];
    testBox.box.operations.all = () => new Map(shown.splice(0, 1).map((operation) => ['notes', operation]));
    await open('apps/notes');
    await page.getByText('A change is under way: downloading.').waitFor();
    await page.getByText('A change is under way: rolling back.').waitFor();
    await page.getByText('A change is under way').waitFor({ state: 'detached' });
    await page.getByText('<b>bold</b> •••').waitFor();
    deepEqual(await accessibilityFaults(page), []);
    testBox.logs.readers[0]?.write('2026-01-02T03:04:06.000000000Z second\n');
    await page.getByText('web | second').waitFor();
    await page.getByLabel('Search in the log').fill('second');
    await page.getByText('<b>bold</b>').waitFor({ state: 'hidden' });

    await press(page, 'Undo the latest settings');
    match(
      await page.getByRole('dialog').innerText(),
      /PASSWORD\s+••• → not set[\s\S]*TITLE\s+`new` 2026-01-02 03:04 UTC → <b>old/,
    );
    await press(page.getByRole('dialog'), 'Undo');
    await said(/has its previous settings again/);
    equal(testBox.file('notes/.env'), 'TITLE=<b>old\n');

    await press(page, 'Restart');
    await said(/^notes was restarted and runs/);
    deepEqual(
      testBox.changes.map(({ operation, subject, outcome }) => `${operation} ${subject}: ${outcome}`),
      ['undo settings notes: ok', 'restart notes: ok'],
    );
  },
);
