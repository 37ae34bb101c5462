import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { type StubBox, startStubBox } from './stub-server.ts';

/**
 * Tests that need a browser are skipped unless CHROMIUM or a script for the real parts names one, so `npm test` skips
 * them.
 */
export const needsBrowser = {
  skip: process.env.CHROMIUM || process.env.BOXGATE_REAL ? false : 'CHROMIUM names no browser',
};

/** Starts a browser with a new home directory. Both are removed after the tests of the file. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const home = mkdtempSync(join(process.env.BOXGATE_REAL || tmpdir(), 'page-browser-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', ...args],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
  });
  launched.push({ browser, home });
  return browser;
}

const launched: { browser: Browser; home: string }[] = [];

after(async () => {
  for (const { browser, home } of launched) {
    await browser.close();
    rmSync(home, { recursive: true, force: true });
  }
});

let shared: Promise<Browser> | undefined;

export type Screen = { box: StubBox; page: Page; app: (name: string) => Locator; requested: string[] };

/**
 * The requests that the page may make: those that a proxy forwards to the box and to its console, and two files that the
 * proxy serves itself.
 */
const forwarded = [
  'api/',
  'apps',
  'settings/api/acts',
  'settings/api/follow/box',
  'settings/api/rooms/use',
  'settings/icons/',
  'style.css',
  'update-state.json',
];

/**
 * Opens the page of a new stub box in a browser. At its end, the test fails if the page made other requests or the
 * browser reported errors.
 */
export async function openPage(
  t: TestContext,
  arrange: (box: StubBox) => void,
  options: BrowserContextOptions = {},
): Promise<Screen> {
  const box = await startStubBox();
  t.after(() => box.close());
  arrange(box);
  const { page, requested } = await openWatched(t, box.url, forwarded, options);
  await page.goto(`${box.url}apps`);
  await page.locator('#installed-count:not(:empty)').waitFor();
  return { box, page, requested, app: (name) => page.locator(`[data-app="${name}"]`) };
}

/**
 * An empty page of a new browser context. At its end, the test fails if the page made requests other than to these paths
 * below `url`, or if the browser reported errors.
 */
export async function openWatched(
  t: TestContext,
  url: string,
  paths: readonly string[],
  options: BrowserContextOptions = {},
): Promise<{ page: Page; requested: string[] }> {
  shared ??= launchBrowser();
  const context = await (await shared).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  const requested: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports each unsuccessful answer.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  t.after(() => {
    const foreign = requested.filter((one) => !paths.some((path) => one.startsWith(url + path)));
    deepEqual(foreign, [], 'asked for what no proxy forwards to the box');
    deepEqual(faults, [], 'the browser complained');
  });
  return { page, requested };
}

export const press = (from: Locator | Page, name: string): Promise<void> =>
  from.getByRole('button', { name, exact: true }).click();

/** Presses an entry of an app's menu. */
export async function choose(card: Locator, name: string): Promise<void> {
  await card.getByRole('button', { name: /^Menu of / }).click();
  await press(card.locator('.menu'), name);
}

export const says = (card: Locator, text: RegExp): Promise<void> =>
  card.locator('.status-text').filter({ hasText: text }).waitFor();

/** The part of the page about the update of the box software. */
export const boxSoftware = (page: Page): Locator => page.getByRole('region', { name: 'Box software' });

/** Waits until that part has a text. */
export const boxSays = (page: Page, text: RegExp): Promise<void> => says(boxSoftware(page), text);

/** Violations of WCAG 2.2 AA that axe-core finds. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** Number of pixels by which the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Fails if what is shown is not accessible, or wider than the screen. */
export async function checkFit(page: Page, place?: string): Promise<void> {
  deepEqual([await accessibilityFaults(page), await overflow(page)], [[], 0], place);
}
