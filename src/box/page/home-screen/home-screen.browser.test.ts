import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openConsole } from '../../../console/page/testing/console-screen.ts';
import { needsBrowser, openPage } from '../testing/browser.ts';

/** What the browser makes of the page as an app, beside the profile of the test, which installs none. */
async function installable(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { errors, manifest } = await session.send('Page.getAppManifest');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  const faults = installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito');
  return { faults: [...errors, ...faults], starts: manifest?.startUrl, scope: manifest?.scope };
}

test('page and console are installable as one app that starts with the apps', needsBrowser, async (t) => {
  const { page, box } = await openPage(t, () => undefined);
  deepEqual(await installable(page), { faults: [], starts: `${box.url}apps`, scope: box.url });
  const room = await openConsole(t, () => undefined);
  await room.open('backups');
  const { origin } = new URL(room.page.url());
  deepEqual(await installable(room.page), { faults: [], starts: `${origin}/apps`, scope: `${origin}/` });
  const size = await room.page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector('link[rel="apple-touch-icon"]')?.getAttribute('href') ?? '';
    await image.decode();
    return image.naturalWidth;
  });
  equal(size, 192);
});
