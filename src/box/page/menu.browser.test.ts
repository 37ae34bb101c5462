import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityFaults, checkFit, choose, needsBrowser, openPage, press, says } from './testing/browser.ts';
import { type StubBox, stubApp, stubSetting } from './testing/stub-server.ts';

const console = { status: 200, body: { ok: true, text: '' } };

function twoApps(box: StubBox): void {
  const notes = stubApp('notes', { display_name: 'Notes', has_settings: true, ports: [8080] });
  box.installed = [
    { ...notes, ok: true },
    { ...stubApp('feeds'), ok: true, available_version: '2.0' },
  ];
  box.bundled = [stubApp('wiki')];
  box.settings.notes = [stubSetting('TITLE', { label: 'Title' })];
}

const entries = (card: Locator) => card.locator('.menu .button').allInnerTexts();
const withoutConsole = [
  'Open',
  'Settings',
  'Update',
  'Repair\nwith a reinstall that keeps its data',
  'About',
  'Remove',
];

test('a press on a tile opens the app, or says more of one without an address', needsBrowser, async (t) => {
  const { page, app } = await openPage(t, twoApps);
  const link = app('notes').getByRole('link', { name: 'Notes', exact: true });
  equal(await link.getAttribute('href'), 'http://127.0.0.1:8080/');
  equal(await link.getAttribute('target'), '_blank');
  // The link lies over the text.
  const opening = page.context().waitForEvent('page');
  await app('notes').getByText('What notes').click({ force: true });
  const opened = await opening;
  await opened.close();
  for (const name of ['feeds', 'wiki']) {
    await app(name).locator('.icon').click({ force: true });
    await press(page.getByRole('dialog', { name }), 'Close');
  }
});

test('the menu works by keyboard, and has what is there without the console', needsBrowser, async (t) => {
  const { page, requested, app } = await openPage(t, twoApps);
  const toggle = app('notes').getByRole('button', { name: 'Menu of Notes' });
  const menu = app('notes').getByRole('group', { name: 'Menu of Notes' });
  ok(
    requested.every((url) => !url.includes('/settings/')),
    'a load asks the console for nothing',
  );
  const scripted = await app('notes')
    .locator('button', { hasText: /^(Settings|Update|Repair|Remove)/ })
    .count();
  equal(scripted, 4, 'a script finds the buttons of the requirements in a closed menu');
  await toggle.focus();
  equal(await toggle.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('Enter');
  await menu.waitFor();
  equal(await toggle.getAttribute('aria-expanded'), 'true');
  deepEqual(await entries(app('notes')), withoutConsole);
  deepEqual(await accessibilityFaults(page), []);
  for (const name of [
    'Open Notes in a new tab',
    'Settings Notes',
    'Update Notes',
    'Repair with a reinstall that keeps its data Notes',
  ]) {
    await page.keyboard.press('Tab');
    equal(await page.locator(':focus').getAttribute('aria-label'), name);
  }
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  equal(await page.locator(':focus').getAttribute('aria-label'), 'Menu of Notes', 'the focus comes back');
  equal(await toggle.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('Enter');
  for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press('Tab');
  await menu.waitFor({ state: 'hidden' });
  equal(await app('feeds').getByRole('button', { name: 'Update to 2.0 feeds' }).isVisible(), true);
  await press(app('feeds'), 'Menu of feeds');
  ok(!(await entries(app('feeds'))).includes('Update'), 'the tile has it');
});

for (const width of [1280, 390]) {
  test(`the menu has the rooms and acts of the console, by touch at ${width} pixels`, needsBrowser, async (t) => {
    const options = { viewport: { width, height: 800 }, hasTouch: true };
    const { page, box, app } = await openPage(t, twoApps, options);
    box.answers.set('GET /settings/api/follow/box', console);
    await app('notes').getByRole('button', { name: 'Menu of Notes' }).tap();
    const menu = app('notes').getByRole('group', { name: 'Menu of Notes' });
    await menu.getByRole('button', { name: 'Restart Notes' }).waitFor();
    const before = [...withoutConsole];
    before.splice(2, 0, 'Log', 'Backups', 'Make public', 'Restart', 'Stop');
    deepEqual(await entries(app('notes')), before);
    equal(await menu.getByRole('link', { name: 'Log Notes' }).getAttribute('href'), '/settings/#/apps/notes');
    equal(await menu.getByRole('link', { name: 'Backups Notes' }).getAttribute('href'), '/settings/#/backups/notes');
    await checkFit(page);
    const place = await menu.boundingBox();
    ok(place && place.x >= 0 && place.y >= 0 && place.y + place.height <= 800, 'all of it is on the screen');
    await page.touchscreen.tap(5, 120);
    await menu.waitFor({ state: 'hidden' });
    box.answers.set('POST /settings/api/acts', { status: 200, body: { ok: true, text: 'notes was restarted' } });
    await choose(app('notes'), 'Restart Notes');
    await says(app('notes'), /^Restarted in/);
    box.answers.set('POST /settings/api/acts', { status: 200, body: { ok: false, text: 'web ended with status 3' } });
    await choose(app('notes'), 'Restart Notes');
    await says(app('notes'), /^Restarted in .*, but: web ended with status 3/);
  });
}
