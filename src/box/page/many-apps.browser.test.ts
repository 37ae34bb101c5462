import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkFit, needsBrowser, openPage } from './testing/browser.ts';
import { type StubBox, stubApp } from './testing/stub-server.ts';

const kinds = ['Books', 'Media', 'Photos'];

/** As many apps as two public stores have, and 30 that are installed. */
function stores(box: StubBox): void {
  const app = (index: number) =>
    stubApp(`app-${index}`, {
      description: index % 10 === 0 ? 'A garden of pictures' : 'Something else',
      category: kinds[index % 3] ?? '',
      store: 'Large store',
    });
  box.installed = Array.from({ length: 30 }, (_, index) => ({ ...app(index), ok: true }));
  box.bundled = Array.from({ length: 450 }, (_, index) => app(index + 30));
}

/** Counts what changes in the lists from now on: added and removed cards, and attributes by their name. */
async function watchLists(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seen });
    const watcher = new MutationObserver((records) => {
      for (const { type, attributeName } of records) {
        const name = attributeName ?? type;
        seen[name] = (seen[name] ?? 0) + 1;
      }
    });
    const watched = { subtree: true, childList: true, attributes: true, characterData: true };
    for (const list of document.querySelectorAll('.cards')) watcher.observe(list, watched);
  });
  return () => page.evaluate('seen');
}

for (const width of [1280, 390]) {
  test(`finds its way among 480 apps, by keyboard, at ${width} pixels`, needsBrowser, async (t) => {
    const { page, app } = await openPage(t, stores, { viewport: { width, height: 800 } });
    const shown = page.locator('.card:visible');
    const found = page.locator('#found');
    equal(await shown.count(), 480);
    equal(await app('app-0').getByText('From Large store').isVisible(), true);
    const changes = await watchLists(page);
    await page.getByRole('searchbox', { name: 'Search apps' }).focus();
    await page.keyboard.type('garden');
    await found.getByText('48 of 480 apps match.').waitFor();
    equal(await shown.count(), 48);
    deepEqual(Object.keys(await changes()), ['hidden'], 'a key makes no card anew and moves none');
    equal(await page.getByRole('status').filter({ hasText: '48 of 480' }).count(), 1);
    // All kinds are one stop; arrows choose.
    for (const key of ['Tab', 'Tab', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await found.getByText('16 of 480 apps match.').waitFor();
    equal(await page.getByRole('radio', { name: 'Media 160' }).isChecked(), true);
    await page.keyboard.press('Tab');
    equal(await page.locator(':focus').getAttribute('aria-label'), 'About app-10', 'the installed apps come first');
    if (width < 1000) await checkFit(page);
    await page.getByRole('searchbox').fill('nothing has these words');
    await found.getByText('0 of 480 apps match.').waitFor();
    equal(await page.getByText('No app in this list matches.').count(), 2);
    ok(!Object.keys(await changes()).includes('childList'));
  });
}
