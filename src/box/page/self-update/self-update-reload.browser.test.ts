import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  accessibilityFaults,
  boxSays,
  boxSoftware,
  choose,
  needsBrowser,
  openPage,
  press,
  type Screen,
} from '../testing/browser.ts';
import { stubApp, stubSetting } from '../testing/stub-server.ts';

const reloadButton = (page: Page) => page.getByRole('button', { name: 'Reload the page' });
const changelog = 'https://releases.example/1.1.0';
const versions = { from: '1.0.0', to: '1.1.0', changelog };
const done = { stage: 'done', outcome: 'updated', ...versions };
const justNow = /^Updated from 1\.0\.0 to 1\.1\.0 just now\.$/;

/** The end of an update that succeeds, as the updater makes it. */
function finish(stub: Screen['box']): void {
  stub.version = '1.1.0';
  stub.selfUpdate = done;
  stub.isDown = false;
}

test('comes back by itself as the new version, once that answers', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.isPublished = true;
  });
  await press(page, 'Check for updates');
  await press(page, 'Update to 1.1.0');
  await boxSays(page, /^Waiting for the updater/);
  stub.isDown = true;
  stub.selfUpdate = { stage: 'health_check', ...versions };
  await boxSays(page, /^Checking that the new version answers/);
  // The file says done before the proxy reaches the new server.
  stub.selfUpdate = done;
  await boxSays(page, /^The update from 1\.0\.0 to 1\.1\.0 is done\.$/);
  finish(stub);
  await boxSays(page, justNow);
  equal(await page.locator('meta[name=boxgate-version]').getAttribute('content'), '1.1.0');
  equal(await page.evaluate(() => document.activeElement?.id), 'self-title');
  equal(
    await boxSoftware(page).getByRole('link', { name: 'What is new in version 1.1.0' }).getAttribute('href'),
    changelog,
  );
  equal(await page.locator('#announcer').textContent(), 'Box software: Updated from 1.0.0 to 1.1.0 just now.');
  deepEqual(await accessibilityFaults(page), []);
  await page.reload();
  await boxSays(page, /^Last time: The update from 1\.0\.0 to 1\.1\.0 is done/);
});

test('keeps an open form, and offers to reload', needsBrowser, async (t) => {
  const {
    page,
    box: stub,
    app,
  } = await openPage(t, (stub) => {
    stub.installed = [{ ...stubApp('notes', { has_settings: true }), ok: true }];
    stub.settings = { notes: [stubSetting('TITLE', { label: 'Title' })] };
    stub.selfUpdate = { stage: 'health_check', ...versions };
  });
  await boxSays(page, /^Checking that the new version answers/);
  await choose(app('notes'), 'Settings notes');
  await page.getByLabel('Title').fill('My notes');
  finish(stub);
  await reloadButton(page).waitFor();
  equal(await page.getByLabel('Title').inputValue(), 'My notes');
  await page.keyboard.press('Escape');
  await boxSoftware(page).getByText('This page is still that of version 1.0.0').waitFor();
  await reloadButton(page).click();
  await boxSays(page, justNow);
});

test('comes back as the version that runs after an update that it saw nothing of', needsBrowser, async (t) => {
  const { page, box: stub } = await openPage(t, (stub) => {
    stub.version = '1.1.0';
  });
  stub.version = '1.0.0';
  stub.selfUpdate = { ...done, stage: 'rolled_back', outcome: 'reverted', reason: 'version 1.1.0 ended' };
  await boxSays(page, /^The update from 1\.0\.0 to 1\.1\.0 was rolled back: version 1\.1\.0 ended$/);
  await page.locator('meta[name=boxgate-version][content="1.0.0"]').waitFor({ state: 'attached' });
  await boxSays(page, /^The update from 1\.0\.0 to 1\.1\.0 was rolled back: version 1\.1\.0 ended$/);
});
