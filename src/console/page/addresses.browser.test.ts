import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Addresses, AddressesShown } from '../../box/addresses/ports.ts';
import { refuse } from '../../box/api/refusals.ts';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import { noAddresses } from '../../box/testing/no-addresses.ts';
import { openConsole } from './testing/console-screen.ts';

/** Axe adds styles, which the page's policy would refuse. */
const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };

test('a box joins a gateway, publishes an app and withdraws it', needsBrowser, async (t) => {
  let shown: AddressesShown | null = null;
  const asked: object[] = [];
  const addresses: Addresses = {
    ...noAddresses,
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
    ofApp: async (name) => shown?.routes.filter(({ app }) => app === name) ?? null,
    async publish({ app, subdomain, port, login, allow, openPaths }) {
      asked.push({ app, port, login, allow, openPaths });
      const host = `${subdomain}.example.org`;
      const access = login === null ? '' : `login ${login}`;
      shown?.routes.push({ host, url: `https://${host}`, app, port: 8230, access });
      shown?.problems.push('the proxy does not serve it yet');
      return { ok: true, text: `${app} is published`, password: login === null ? '' : 'made-4711' };
    },
    async withdraw(host) {
      if (shown !== null) shown.routes = shown.routes.filter((one) => one.host !== host);
      return { ok: true, text: `${host} is not published any more` };
    },
  };
  const { testBox, page, open, said } = await openConsole(
    t,
    ({ installed, box }) => {
      installed('notes');
      box.addresses = addresses;
    },
    phone,
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
  await page.getByText('The proxy does not serve it yet').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  deepEqual([await accessibilityFaults(page), await overflow(page)], [[], 0]);
  await press(page, 'Withdraw: my-notes.example.org');
  await press(page.getByRole('dialog'), 'Withdraw');
  await page.getByText('No app is published.').waitFor();

  await open('apps/notes');
  await page.getByLabel('Name at the gateway').fill('my-notes');
  await page.getByText('Who may open it').click();
  await page.getByLabel('Ask visitors for a login').fill('ada');
  await page.getByLabel('Paths without login').fill('/api/*');
  await press(page, 'Publish');
  const login = page.getByRole('dialog');
  await login.getByText('Name ada, password made-4711').waitFor();
  deepEqual(await accessibilityFaults(page), []);
  await press(login, 'Close');
  await page.getByText('notes, port 8230. For visitors: login ada.').waitFor();
  deepEqual((await page.content()).includes('made-4711'), false, 'the password is shown once');
  deepEqual([await accessibilityFaults(page), await overflow(page)], [[], 0]);
  await press(page, 'Withdraw: my-notes.example.org');
  await press(page.getByRole('dialog'), 'Withdraw');
  await said(/is not published any more$/);
  await page.getByRole('link', { name: 'my-notes.example.org' }).waitFor({ state: 'detached' });
  deepEqual(asked.slice(2), [
    { app: 'notes', port: null, login: null, allow: null, openPaths: null },
    { app: 'notes', port: null, login: 'ada', allow: null, openPaths: '/api/*' },
  ]);
  deepEqual(/secret|4711/.test(JSON.stringify(testBox.changes)), false);
});
