import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { required } from '../support/required.ts';

export const shots = join(required('BOXGATE_ARTEFACTS'), 'page');

export const phone = [375, 812] as const;
export const sizes = [[1280, 900], phone] as const;

let launched: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  launched ??= (() => {
    mkdirSync(shots, { recursive: true });
    const home = mkdtempSync(join(required('BOXGATE_REAL'), 'browser-'));
    return chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox'],
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
    });
  })();
  return launched;
}
after(async () => (await launched)?.close());

export type Screen = {
  page: Page;
  app: (name: string) => Locator;
  /** Takes a picture of the page or dialog. Fails on inaccessible elements and on horizontal overflow. */
  shot: (name: string) => Promise<void>;
};

/** The page at an address, in a browser window of that size. */
export async function openScreen(t: TestContext, url: string, width: number, height: number): Promise<Screen> {
  const context = await (await browser()).newContext({ viewport: { width, height }, isMobile: width < 500 });
  t.after(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  let isLookedAt = false;
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // Refusals and a stopped server are logged too, as expected. The policy rightly refuses the styles that
    // screenshots and axe try to add.
    if (!isLookedAt && /Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  t.after(() => assert.deepEqual(faults, [], 'the browser had nothing to complain about'));
  await page.goto(url);
  await page.locator('#installed-count:not(:empty)').waitFor();
  let count = 0;
  const shot = async (name: string) => {
    count += 1;
    isLookedAt = true;
    await page.screenshot({
      path: join(shots, `${width}-${count}-${name}.png`),
      fullPage: (await page.getByRole('dialog').count()) === 0,
      caret: 'initial',
    });
    await accessible(page, name);
    isLookedAt = false;
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0, `${name}: nothing sticks out at ${width} pixels`);
  };
  return { page, app: (name) => page.locator(`[data-app="${name}"]`), shot };
}

async function accessible(page: Page, name: string): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  assert.deepEqual(told, [], name);
}

export const press = (from: Locator | Page, name: string): Promise<void> =>
  from.getByRole('button', { name, exact: true }).click();

/** Presses an entry of an app's menu. */
export async function choose(card: Locator, name: string): Promise<void> {
  await card.getByRole('button', { name: /^Menu of / }).click();
  await press(card.locator('.menu'), name);
}

/** Waits until an app's card shows this result of an operation. */
export const says = (card: Locator, text: RegExp): Promise<void> =>
  card.locator('.status-text').filter({ hasText: text }).waitFor({ timeout: 60_000 });

export const isIn = (card: Locator, state: string): Promise<void> =>
  card.locator('.state strong').filter({ hasText: state }).waitFor({ timeout: 60_000 });
