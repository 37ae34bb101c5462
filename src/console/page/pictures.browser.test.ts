import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { reconcile } from '../../box/engine/reconcile.ts';
import { needsBrowser, openPage } from '../../box/page/testing/browser.ts';
import { stubApp } from '../../box/page/testing/stub-server.ts';
import { openConsole, roomsOf } from './testing/console-screen.ts';

const { BOXGATE_ARTEFACTS: artefacts } = process.env;
const skip = needsBrowser.skip || (artefacts === undefined ? 'there is no place for pictures' : false);

/** Takes four pictures of the page: dark and light, on a screen and on a phone. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = join(artefacts ?? '', 'rooms');
  mkdirSync(folder, { recursive: true });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const scheme of ['Light', 'Dark']) {
      await page.getByLabel('Colours').selectOption(scheme);
      await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true });
    }
  }
}

test('pictures of each room, to compare by eye with those of another commit', { ...needsBrowser, skip }, async (t) => {
  const screen = await openConsole(t, async ({ box, installed }) => {
    for (const app of ['notes', 'photos', 'old']) installed(app, { '.env': 'TITLE=a\n', '.env.bak': 'TITLE=b\n' });
    await reconcile(box, null);
    await box.trash.put('old');
  });
  for (const room of await roomsOf(screen, 'notes')) {
    await screen.open(room);
    await picture(screen.page, room.replace('/', '-') || 'apps');
  }
});

test('pictures of the page: new, and with an app in each state', { ...needsBrowser, skip }, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.bundled = ['memos', 'feeds', 'films', 'photos'].map((name) => stubApp(name));
  });
  await picture(page, 'page-new');
  const states = ['running', 'stopped', 'restarting', 'not_started', 'starting'] as const;
  box.installed = states.map((state) => ({ ...stubApp(state), ok: true, state, state_detail: `It is ${state}.` }));
  await app('starting').waitFor();
  await picture(page, 'page-apps');
});
