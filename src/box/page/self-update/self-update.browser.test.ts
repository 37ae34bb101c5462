import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { boxSays, boxSoftware, needsBrowser, openPage, overflow, press } from '../testing/browser.ts';

const boxAdds = (page: Page, text: RegExp) =>
  boxSoftware(page).locator('.status-more').filter({ hasText: text }).waitFor();
const announced = (page: Page) => page.locator('#announcer p').allTextContents();

async function startUpdate(page: Page): Promise<void> {
  await press(page, 'Check for updates');
  await press(page, 'Update to 1.1.0');
  await boxSays(page, /^Waiting for the updater/);
}

const versions = { from: '1.0.0', to: '1.1.0' };
const times = { started_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:06:10Z' };
const changelog = 'https://releases.example/1.1.0#news';

test('goes on with the stages that a proxy publishes while the box is away', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.isPublished = true;
    stub.selfUpdate = { stage: 'switching', message: 'waiting for a change to finish', ...versions };
  });
  await boxSays(page, /^Switching over$/);
  await boxAdds(page, /^Waiting for a change to finish\. Next: restarting the box software\./);
  stub.isDown = true;
  stub.selfUpdate = { stage: 'restarting', ...versions };
  await boxSays(page, /^Restarting the box software$/);
  await boxAdds(page, /The box does not answer while it restarts; this page follows/);
  stub.selfUpdate = { stage: 'health_check', ...versions };
  await boxSays(page, /^Checking that the new version answers$/);
  stub.selfUpdate = {
    stage: 'rolled_back',
    reason: 'version 1.1.0 did not answer',
    message: 'version 1.0.0 runs again',
    outcome: 'reverted',
    ...versions,
  };
  await boxSays(page, /^The update from 1\.0\.0 to 1\.1\.0 was rolled back: version 1\.1\.0 did not answer$/);
  await boxAdds(page, /^The old version 1\.0\.0 ran afterwards\. Apps were not touched\. To try again/);
});

test('announces each stage once, and no bytes', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, () => undefined);
  await startUpdate(page);
  for (const bytes of [0, 1_000_000, 2_000_000]) {
    stub.selfUpdate = { stage: 'downloading', bytes, bytes_total: 2_000_000, ...versions };
    await boxSays(page, new RegExp(`^Downloading \\(${bytes / 1e6}\\.0 of 2\\.0 MB`));
  }
  stub.selfUpdate = { stage: 'verifying', ...versions };
  await boxSays(page, /^Checking the signature/);
  deepEqual((await announced(page)).slice(-3), [
    'Box software: The update was started.',
    'Box software: Downloading',
    'Box software: Checking the signature',
  ]);
});

test('announces once a minute how long a stage takes', needsBrowser, async (t) => {
  const { page } = await openPage(t, (stub) => {
    stub.selfUpdate = { stage: 'downloading', bytes: 1e6, bytes_total: 4e6, ...times };
  });
  await boxSays(page, /^Downloading/);
  // The elapsed time counts from the start of the update, not from the loading of the page.
  match((await boxSoftware(page).locator('.elapsed').textContent()) ?? '', /^ … 2 min 0\d s\./);
  await page.clock.install();
  await page.reload();
  await boxSays(page, /^Downloading/);
  await page.clock.fastForward(61_000);
  await page
    .locator('#announcer p')
    .filter({ hasText: /^Box software: Downloading \(1\.0 of 4\.0 MB, 25 %\), 3 min 0\d s so far$/ })
    .waitFor({ state: 'attached' });
});

/** choice/box/160 */
test('shows an update on a phone', needsBrowser, async (t) => {
  const { page } = await openPage(
    t,
    (stub) => {
      stub.selfUpdate = {
        stage: 'downloading',
        bytes: 12_345_678,
        bytes_total: 45_000_000,
        changelog,
        ...versions,
        ...times,
      };
    },
    { viewport: { width: 320, height: 640 } },
  );
  await boxSays(page, /^Downloading/);
  equal(await overflow(page), 0);
});

test('takes up an update that somebody else started', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.answers.set('POST /api/self/update/apply', { status: 409, body: { error: 'an update is already running' } });
    stub.selfUpdate = { stage: 'rolled_back', reason: 'of yesterday' };
  });
  await startUpdate(page);
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
  equal(await boxSoftware(page).locator('.status.refused').count(), 1);
});
