import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { checkFit, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import type { TestBox } from '../../box/testing/test-box.ts';
import { openConsole, phone, roomsOf } from './testing/console-screen.ts';

/** Adds a store that is away, with one app that is offered and one that is left out. */
async function addStore(stores: TestBox['box']['stores'], long: string): Promise<void> {
  const copy = await stores.write(
    'away',
    [],
    [
      { folder: long, isOffered: false, reason: `its file ${long} cannot be read` },
      { folder: long, isOffered: true, name: long, notes: [`Its page is at ${long} of its address.`] },
    ],
  );
  const at = '2026-11-28T12:00:00.000Z';
  const read = { revision: '1', readAt: at, offered: 1, leftOut: 1, problem: `${long} does not answer` };
  await stores.save([{ name: 'away', address: `http://${long}/${long}`, copy, ...read }]);
}

test('with 100 apps and long names, every room fits a phone and is accessible', needsBrowser, async (t) => {
  const long = `app-${'x'.repeat(200)}`;
  const screen = await openConsole(
    t,
    async ({ box, installed }) => {
      for (let i = 0; i < 100; i += 1) installed(`app-${i}`);
      installed(long);
      installed('gone <img src=x onerror=alert(1)>\u202e');
      await box.trash.put('gone <img src=x onerror=alert(1)>\u202e');
      await addStore(box.stores, long);
    },
    phone,
  );
  for (const room of [...(await roomsOf(screen, long)), 'stores/away']) {
    await screen.open(room);
    await checkFit(screen.page, room);
    equal(await screen.page.locator('h1').count(), 1, room);
    ok(((await screen.page.locator('header').boundingBox())?.height ?? 99) < 60, 'the header has one line');
  }
});

test('with Docker down, each room says so at most once and offers what needs no Docker', needsBrowser, async (t) => {
  const screen = await openConsole(
    t,
    ({ installed, containers }) => {
      installed('notes');
      containers.fail('observe', 'Docker does not answer; is it running?', true);
    },
    phone,
  );
  for (const room of await roomsOf(screen, 'notes')) {
    await screen.open(room);
    const text = await screen.page.locator('main').innerText();
    ok(text.split('Docker does not answer').length <= 2, `${room}: ${text}`);
    doesNotMatch(text, /internal error/, room);
    equal(await overflow(screen.page), 0, room);
  }
});

test(
  'an address without a room says so; a keyboard reaches a room, and keeps its place there',
  needsBrowser,
  async (t) => {
    const { testBox, page, open, said } = await openConsole(t, async ({ box, installed }) => {
      installed('old <b>notes');
      await box.trash.put('old <b>notes');
    });
    await open('');
    await page.getByRole('link', { name: 'Storage', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^An app that you remove is kept here/).waitFor();
    equal(await page.evaluate(() => document.activeElement?.id), 'room-title');
    deepEqual([await page.title(), await page.locator('[aria-current]').allInnerTexts()], ['Storage', ['Storage']]);
    await press(page, 'Delete now: old <b>notes');
    await press(page.getByRole('dialog'), 'Cancel');
    equal(testBox.box.trash.list().length, 1);
    await press(page, 'Delete now: old <b>notes');
    await press(page.getByRole('dialog'), 'Delete for good');
    await said(/^old <b>notes is deleted for good$/);
    await page.getByText('There is none.').waitFor();
    equal(await page.evaluate(() => document.activeElement?.id), 'part-trash');
    await page.evaluate(() => {
      location.hash = '#/nothing%';
    });
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('link', { name: 'Backups' }).click();
    await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
  },
);

test('a slow part holds up no other, and the part that was asked for stays in sight', needsBrowser, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { page, go, said } = await openConsole(
    t,
    async ({ box, installed }) => {
      for (const name of ['old', 'older']) {
        installed(name);
        await box.trash.put(name);
      }
      for (let i = 0; i < 50; i += 1) installed(`app-${i}`);
      const { disks } = box.space;
      box.space.disks = () => promise.then(disks);
    },
    phone,
  );
  await go('trash');
  await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor();
  await page.getByText('Counting.').waitFor();
  await page.getByText('old', { exact: true }).waitFor();
  resolve();
  await page.getByText('Earlier versions of apps').waitFor();
  const title = page.getByRole('heading', { name: 'Removed apps', level: 2 });
  await page.waitForFunction(() => scrollY > 1000);
  ok(((await title.boundingBox())?.y ?? 9999) < 800, 'the title is in sight');
  await press(page, 'Delete now: old');
  await press(page.getByRole('dialog'), 'Delete for good');
  await said(/^old is deleted for good$/);
  await page.getByRole('link', { name: 'Space' }).press('Enter');
  await page.locator('#part-space:focus').waitFor();
});
