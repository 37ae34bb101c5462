import type { TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openWatched } from '../../../box/page/testing/browser.ts';
import { makeTestBox, type TestBox } from '../../../box/testing/test-box.ts';
import { listen } from '../../../http/listen.ts';
import { makeRooms } from '../../rooms.ts';
import { withServerStates } from '../../server-states.ts';
import { consoleService } from '../../service.ts';
import { renderConsole } from '../render.ts';

/** The console of a test box on a port of its own: real rooms and use cases on real folders, and a fake engine. */
async function startTestConsole(t: TestContext, testBox: TestBox): Promise<string> {
  const own = { machineName: 'pi', allowedHosts: [], addresses: ['127.0.0.1'], tunnelAddresses: ['10.8.0.2'], port: 0 };
  const askStates = async () => null;
  const box = withServerStates(testBox.box, askStates);
  const rooms = await makeRooms(box);
  const page = renderConsole('1.2.3', rooms);
  const service = consoleService({ box, rooms, page: () => page, askStates }, own, '1.2.3');
  const listening = await listen({ host: '127.0.0.1', port: 0, service });
  own.port = listening.port;
  t.after(() => listening.close());
  return `${listening.url}/`;
}

/** Axe adds styles, which the page's policy would refuse. */
export const forAxe = { bypassCSP: true };
export const phone = { ...forAxe, viewport: { width: 390, height: 800 } };

export type ConsoleScreen = {
  testBox: TestBox;
  page: Page;
  /** Opens an address without waiting for what it shows. */
  go(address: string): Promise<void>;
  /** Opens a group or a room, such as `storage` or `apps/notes`, and waits until all of the page has been drawn. */
  open(address: string): Promise<void>;
  /** Waits until the result of an action has this text. */
  said(text: RegExp): Promise<void>;
};

/** Opens the console of a new test box in a browser. The test fails if the page leaves the console or reports errors. */
export async function openConsole(
  t: TestContext,
  arrange: (testBox: TestBox) => Promise<void> | void,
  options: BrowserContextOptions = {},
): Promise<ConsoleScreen> {
  const testBox = makeTestBox();
  t.after(() => testBox.dispose());
  // The log of an app without containers asks again after each pause: without one it would never let go.
  testBox.box.pause = (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 1000)));
  await arrange(testBox);
  const url = await startTestConsole(t, testBox);
  const { page } = await openWatched(t, url, ['settings/', 'style.css'], options);
  // The proxy serves this file.
  await page.route('**/style.css', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  const go = async (address: string) => {
    // From another page, so that the browser loads this one anew.
    await page.goto('about:blank');
    await page.goto(`${url}settings/#/${address}`);
  };
  return {
    testBox,
    page,
    go,
    async open(address) {
      await go(address);
      await page.locator('#room .waiting').first().waitFor({ state: 'detached' });
    },
    said: (text) => page.locator('.said').filter({ hasText: text }).waitFor(),
  };
}

/** The addresses of all groups, with that of one app. */
export async function roomsOf({ page, open }: ConsoleScreen, app: string): Promise<string[]> {
  await open('');
  const links = await page.getByRole('navigation', { name: 'Box' }).getByRole('link').all();
  const addresses = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
  const groups = addresses.flatMap((href) => (href.includes('#/') ? [href.replace(/^.*#\//, '')] : []));
  return [...groups, `apps/${encodeURIComponent(app)}`];
}
