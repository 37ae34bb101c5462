import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { forAxe, openConsole } from '../../../console/page/testing/console-screen.ts';
import type { AppState } from '../api.js';
import { stateWords } from '../apps/app-state.js';
import { accessibilityFaults, needsBrowser, openPage } from '../testing/browser.ts';
import { stubApp } from '../testing/stub-server.ts';

const [dark, light] = ['rgb(14, 18, 24)', 'rgb(243, 245, 249)'];

const servers: Record<string, (t: TestContext, options: BrowserContextOptions) => Promise<Page>> = {
  async page(t, options) {
    const { page } = await openPage(
      t,
      (box) => {
        const states = Object.keys(stateWords) as AppState[];
        box.installed = states.map((state) => ({ ...stubApp(state), ok: true, state, state_detail: 'So it is.' }));
        box.bundled = [stubApp('next')];
      },
      options,
    );
    return page;
  },
  async console(t, options) {
    const { page, open } = await openConsole(t, ({ installed }) => void installed('notes'), options);
    await open('');
    return page;
  },
};

/** The colours of the document, of its body, and of the browser's own frame. */
const coloursOf = (page: Page) =>
  page.evaluate(() => [
    getComputedStyle(document.documentElement).backgroundColor,
    getComputedStyle(document.body).backgroundColor,
    document.querySelector('meta[name="theme-color"]')?.getAttribute('content'),
  ]);

for (const [name, open] of Object.entries(servers)) {
  test(`the ${name} is dark, light or as the system, as the owner chose`, needsBrowser, async (t) => {
    const page = await open(t, { ...forAxe, colorScheme: 'light' });
    const choice = page.getByLabel('Colours');
    const looks = async (colour: string) => deepEqual(await coloursOf(page), [colour, colour, colour]);
    await looks(dark);
    deepEqual(await accessibilityFaults(page), []);
    await choice.focus();
    await page.keyboard.type('Light');
    await looks(light);
    deepEqual(await accessibilityFaults(page), []);
    // Before anything is painted.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.body) return;
        Object.assign(globalThis, { first: getComputedStyle(document.documentElement).colorScheme });
        observer.disconnect();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    equal(await page.evaluate(() => Reflect.get(globalThis, 'first')), 'light');
    equal(await choice.inputValue(), 'light');
    await choice.selectOption('As the system');
    await looks(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(
      (colour) => document.querySelector('meta[name="theme-color"]')?.getAttribute('content') === colour,
      dark,
    );
    await looks(dark);
  });

  test(`the ${name} is dark without storage, and can be made light`, needsBrowser, async (t) => {
    const page = await open(t, {});
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
    );
    await page.reload();
    equal((await coloursOf(page))[0], dark);
    await page.getByLabel('Colours').selectOption('Light');
    equal((await coloursOf(page))[0], light);
  });
}
