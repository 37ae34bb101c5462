import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, openPage, press, says } from './testing/browser.ts';
import { type StubBox, stubApp } from './testing/stub-server.ts';

/** Three apps with a newer version in the catalogue, and one without. */
function threeUpdates(box: StubBox): void {
  box.installed = ['mail', 'notes', 'photos', 'wiki'].map((name) => ({
    ...stubApp(name, { version: '1.10' }),
    ok: true,
    available_version: name === 'wiki' ? null : '1.11',
  }));
}

const updated = (box: StubBox) =>
  box.requests.flatMap(({ path }) => /^\/api\/apps\/(.*)\/update$/.exec(path)?.[1] ?? []);

test(
  'offers the newer version of the catalogue, and says from which version to which it went',
  needsBrowser,
  async (t) => {
    const { page, app } = await openPage(t, threeUpdates);
    await press(app('mail'), 'Update to 1.11 mail');
    await says(app('mail'), /^Updated from 1\.10 to 1\.11 in/);
    await app('mail').getByRole('button', { name: 'Update to 1.11 mail' }).waitFor({ state: 'detached' });
    await press(app('mail'), 'About mail');
    await page.getByRole('definition').getByText('1.11', { exact: true }).waitFor();
  },
);

test('updates all apps one after the other, goes on after a failure, and tells of each', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, threeUpdates);
  box.answers.set('POST /api/apps/notes/update', {
    status: 502,
    body: { error: 'the new version does not stay up; version 1.10 runs again' },
  });
  const coming = box.hold('POST /api/apps/mail/update');
  await press(page, 'Update all');
  const release = await coming;
  await page.locator('#update-all').getByText('Updating 1 of 3: mail').waitFor();
  deepEqual(updated(box), ['mail'], 'one after the other');
  deepEqual(await accessibilityFaults(page), []);
  release();
  await page.locator('#update-all').getByText('2 of 3 apps updated. Not updated: notes.').waitFor();
  deepEqual(updated(box), ['mail', 'notes', 'photos']);
  deepEqual(await page.locator('#per-app h3').allTextContents(), ['✓ mail', '✕ notes', '✓ photos']);
  match((await page.locator('#log-json').textContent()) ?? '', /"app": "mail"[\s\S]*"app": "photos"/);
  await says(app('notes'), /^Update to 1\.11 failed: the new version does not stay up; version 1\.10 runs again/);
  equal(await page.getByRole('button', { name: 'Update all' }).isVisible(), false, 'one update is left, on its card');
});

test('stops between two apps', needsBrowser, async (t) => {
  const { page, box } = await openPage(t, threeUpdates);
  const coming = box.hold('POST /api/apps/mail/update');
  await press(page, 'Update all');
  const release = await coming;
  equal(await page.locator(':focus').textContent(), 'Stop after this app');
  await page.keyboard.press('Enter');
  release();
  await page.locator('#update-all').getByText('1 of 3 apps updated. Stopped before the last 2 apps.').waitFor();
  await page.locator('#installed-title:focus').waitFor();
  deepEqual(updated(box), ['mail']);
});

test('updates an app without a backup only after a question, also after "Update all"', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, threeUpdates);
  const error = 'mail was not updated, because there is no backup of its data: there is no room left';
  box.answers.set('POST /api/apps/mail/update', { status: 502, body: { error }, refusal: 'backupFailed' });
  box.answers.set('POST /api/apps/notes/update', { status: 502, body: { error: 'no pull' } });
  const bodies = () => box.requests.filter(({ path }) => path.endsWith('/mail/update')).map(({ body }) => body);
  await press(page, 'Update all');
  await page.locator('#update-all').getByText('1 of 3 apps updated. Not updated: mail, notes.').waitFor();
  await says(app('mail'), /^Update to 1\.11 failed: mail was not updated, .* there is no room left/);
  const offers = page.getByRole('button', { name: /^Update without a backup/ });
  equal(await offers.count(), 1, 'only where a backup is what is missing');
  deepEqual(await accessibilityFaults(page), []);

  const offer = page.getByRole('button', { name: 'Update without a backup mail', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Update mail without a backup?' });
  await offer.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'Update without a backup' }).waitFor();
  deepEqual(bodies(), [{}]);

  box.answers.clear();
  await page.keyboard.press('Enter');
  await press(dialog, 'Update without a backup');
  await says(app('mail'), /^Updated from 1\.10 to 1\.11 in/);
  deepEqual(bodies(), [{}, { without_backup: true }]);
  equal(await page.locator(':focus').textContent(), 'mail');
});
