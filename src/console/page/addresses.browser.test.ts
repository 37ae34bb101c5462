import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import type { AddressesShown, PublicAddresses } from '../../box/public-addresses.ts';
import { refuse } from '../../box/refusals.ts';
import { openConsole } from './testing/console-screen.ts';

/** Axe adds styles, which the page's policy would refuse. */
const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };

test('a box joins a gateway, publishes an app and withdraws it', needsBrowser, async (t) => {
  let shown: AddressesShown | null = null;
  const asked: object[] = [];
  const addresses: PublicAddresses = {
    show: async () => shown,
    async join(request) {
      asked.push(request);
      if (request.token !== 'secret') refuse('tunnelFailed', { reason: 'the gateway refuses this token' });
      shown = {
        gateway: request.gateway,
        boxName: request.name,
        works: true,
        handshakeAt: null,
        problems: [],
        routes: [],
      };
      return { ok: true, text: 'joined' };
    },
    async publish(app, subdomain) {
      const host = `${subdomain}.example.org`;
      shown?.routes.push({ host, url: `https://${host}`, app, port: 8230 });
      shown?.problems.push('the proxy does not serve it yet');
      return { ok: true, text: `${app} is published` };
    },
    async withdraw(host) {
      if (shown !== null) shown.routes = shown.routes.filter((one) => one.host !== host);
      return { ok: true, text: `${host} is not published any more` };
    },
  };
  const { testBox, page, open, said } = await openConsole(
    t,
    ({ installed }) => void installed('notes'),
    phone,
    addresses,
  );
  await open('addresses');
  await page.getByLabel('Address').fill('https://gateway.example.org');
  await page.getByLabel('What the box is called there').fill('attic');
  await page.getByLabel('Token').fill('wrong');
  await press(page, 'Join');
  await said(/^the gateway refuses this token$/);
  await page.getByLabel('Token').fill('secret');
  await press(page, 'Join');
  await page.getByText('This box has joined https://gateway.example.org as attic. The tunnel works.').waitFor();

  await page.getByLabel('Name at the gateway').fill('my-notes');
  await press(page, 'Publish');
  await page.getByRole('link', { name: 'my-notes.example.org' }).waitFor();
  await page.getByText('the proxy does not serve it yet').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  deepEqual([await accessibilityFaults(page), await overflow(page)], [[], 0]);
  await press(page, 'Withdraw: my-notes.example.org');
  await press(page.getByRole('dialog'), 'Withdraw');
  await page.getByText('No app is published.').waitFor();
  deepEqual(asked.length, 2);
  deepEqual(JSON.stringify(testBox.changes).includes('secret'), false);
});
