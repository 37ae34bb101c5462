import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, needsBrowser, openPage, press } from './browser.ts';

const box = (page: Page) => page.getByRole('region', { name: 'Box software' });
const boxSays = (page: Page, text: RegExp) =>
  box(page).locator('.status-text').filter({ hasText: text }).waitFor();

/** box/update-state/6, choice/box/159 */
test(
  'follows an update through its stages and the restart of the server to its end',
  needsBrowser,
  async (t) => {
    const { page, box: stub } = await openPage(t, (stub) => {
      stub.selfUpdate = { stage: 'done', from: '0.9.0', to: '1.0.0' };
    });
    await boxSays(page, /^Last time: The update from 0\.9\.0 to 1\.0\.0 is done/);
    await press(page, 'Check for updates');
    await boxSays(page, /^Version 1\.1\.0 is available/);
    await press(page, 'Update to 1.1.0');
    await boxSays(page, /^Waiting for the updater/);
    stub.selfUpdate = { stage: 'downloading', progress: 0.5, from: '1.0.0', to: '1.1.0' };
    await boxSays(page, /^Downloading \(50 %\)/);
    equal(await box(page).locator('[aria-current=step]').textContent(), '▸ Downloading');
    deepEqual(await accessibilityFaults(page), []);
    stub.isDown = true;
    await boxSays(page, /does not answer while it restarts/);
    stub.selfUpdate = { stage: 'done', outcome: 'updated', from: '1.0.0', to: '1.1.0' };
    stub.isDown = false;
    await boxSays(page, /^The update from 1\.0\.0 to 1\.1\.0 is done/);
    match((await box(page).textContent()) ?? '', /Version 1\.1\.0/);
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
    match((await page.locator('#log-json').textContent()) ?? '', /"stage": "done"/);
  },
);

/** box/update-state/6, choice/box/159 */
test('says why an update was rolled back', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, () => undefined);
  await press(page, 'Check for updates');
  await press(page, 'Update to 1.1.0');
  stub.selfUpdate = { stage: 'rolled_back', reason: 'the signature does not fit' };
  await boxSays(page, /was rolled back: the signature does not fit/);
  equal(await page.getByRole('button', { name: 'Reload the page' }).isVisible(), false);
});

test('takes up an update that somebody else started', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.answers.set('POST /api/self/update/apply', {
      status: 409,
      body: { error: 'an update is already running' },
    });
    stub.selfUpdate = { stage: 'rolled_back', reason: 'of yesterday' };
  });
  await press(page, 'Check for updates');
  await press(page, 'Update to 1.1.0');
  await boxSays(page, /^Waiting for the updater/);
  stub.selfUpdate = { stage: 'verifying' };
  await boxSays(page, /^Checking the signature/);
  await page.reload();
  await boxSays(page, /^Checking the signature/);
});

test('says why a check failed or an update did not start', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.answers.set('POST /api/self/update/apply', {
      status: 502,
      body: { error: 'the update could not be started: no systemd-run' },
    });
  });
  await press(page, 'Check for updates');
  await press(page, 'Update to 1.1.0');
  await boxSays(page, /^The update could not be started: no systemd-run/);
  stub.answers.set('POST /api/self/update/check', { status: 502, body: { error: 'the feed is no JSON' } });
  await press(page, 'Check for updates');
  await boxSays(page, /^The feed is no JSON/);
  equal(await box(page).locator('.status.refused').count(), 1);
});

/** choice/box/299 */
test('says plainly that no feed is configured', needsBrowser, async (t) => {
  const error = 'no release feed is configured: set BOX_RELEASE_FEED in /etc/boxgate/box.env';
  const { page } = await openPage(t, (stub) => {
    stub.answers.set('POST /api/self/update/check', { status: 502, body: { error } });
  });
  await press(page, 'Check for updates');
  await boxSays(page, /^No release feed is configured: set BOX_RELEASE_FEED/);
  equal(await box(page).locator('.status.note').count(), 1);
});
