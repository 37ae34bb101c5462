import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { outcomes } from '../../run/result.ts';
import { coverage, exchange, facts, result, ruleIds } from '../testing/results.ts';
import { htmlReport } from './html.ts';

/** The browser that `CHROMIUM` names, as in the tests of the box's page. */
const options = { skip: process.env.CHROMIUM || process.env.BOXGATE_REAL ? false : 'CHROMIUM names no browser' };

const folder = mkdtempSync(join(process.env.BOXGATE_REAL || tmpdir(), 'report-browser-'));
let browser: Promise<Browser> | undefined;
after(async () => {
  await (await browser)?.close();
  rmSync(folder, { recursive: true, force: true });
});

const long = `${'a word '.repeat(30)}${'x'.repeat(300)}`;
const results = outcomes.map((outcome, index) => ({
  ...result(outcome, ruleIds.slice(index * 2, index * 2 + 3), outcome),
  reason: outcome === 'pass' ? '' : `expected: ${long}`,
  exchanges: outcome === 'fail' ? [{ ...exchange, path: `/${'y'.repeat(300)}`, body: long }] : [],
}));

async function open(t: TestContext, context: BrowserContextOptions = {}): Promise<Page> {
  const file = join(folder, 'report.html');
  writeFileSync(file, htmlReport(results, { ...facts, coverage }));
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox'],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
  });
  const opened = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...context });
  t.after(() => opened.close());
  const page = await opened.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) faults.push(request.url());
  });
  t.after(() => assert.deepEqual(faults, [], 'the browser complained, or asked for more'));
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** The members of an element that these tests use. */
type Opens = { toggleAttribute: (name: string, force?: boolean) => boolean };

const visible = (page: Page) => page.locator('.requirement:visible').count();

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 375]) {
    test(`is readable at ${width} pixels, ${colorScheme}`, options, async (t) => {
      const page = await open(t, { colorScheme, viewport: { width, height: 800 } });
      const wider = await page
        .locator('html')
        .evaluate((root: { scrollWidth: number; clientWidth: number }) => root.scrollWidth - root.clientWidth);
      assert.equal(wider, 0, 'the page scrolls sideways');
      for (const one of await page.locator('details').all())
        await one.evaluate((details: Opens) => details.toggleAttribute('open', true));
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
        [],
      );
    });
  }
}

test('filters by outcome, level, operation and text, and shows how many are left', options, async (t) => {
  const page = await open(t);
  const all = facts.rules.size;
  assert.equal(await visible(page), all);
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('fail');
  const failing = await visible(page);
  assert.ok(failing > 0 && failing < all);
  await page
    .getByRole('status')
    .filter({ hasText: `${failing} of ${all}` })
    .waitFor();
  await page.getByLabel('Text').fill('no requirement says this');
  assert.equal(await visible(page), 0);
  await page.getByLabel('Text').fill('');
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('test');
  assert.ok((await visible(page)) < all);
  await page.getByRole('combobox', { name: 'Level' }).selectOption('should');
  assert.equal(await visible(page), 0);
});

test('links a failed check to its requirement, even if a filter hid it', options, async (t) => {
  const page = await open(t);
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('pass');
  await page.getByRole('link', { name: 'box/test/fail' }).first().click();
  await page.locator('[id="check:box/test/fail"] .reason').waitFor();
});

test('can be used with the keyboard', options, async (t) => {
  const page = await open(t);
  const first = page.locator('.requirement').last();
  await first.locator('> summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await first.getAttribute('open'), '');
});

test('is complete without its script, and then offers no filter', options, async (t) => {
  const page = await open(t, { javaScriptEnabled: false });
  assert.equal(await visible(page), facts.rules.size);
  assert.equal(await page.locator('.filters').isVisible(), false);
});
