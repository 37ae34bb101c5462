import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { appContainer, tunnelInFolder } from '../../box/addresses/testing/tunnel-in-folder.ts';
import { accessibilityFaults, checkFit, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { noAddresses } from '../../box/testing/no-addresses.ts';
import { openConsole, phone } from './testing/console-screen.ts';

test('a box joins a gateway, publishes an app and withdraws it', needsBrowser, async (t) => {
  const { tunnel, gateway, apps, answers } = await tunnelInFolder(t);
  tunnel.newLogin = async (login) => ({ login, password: 'made-4711', hash: 'hash' });
  Object.assign(tunnel.wireGuard, { interfaceWith: () => 'tunnel', answers: async () => true });
  gateway.registrationToken = 'secret';
  answers.splice(0, 1, { status: 502 });
  const { testBox, page, open, said } = await openConsole(
    t,
    ({ installed, box, containers }) => {
      apps.containers = [appContainer(installed('notes'), 8230)];
      containers.observe = async () => apps.containers ?? [];
      box.addresses = { ...noAddresses, tunnel };
    },
    phone,
  );
  await open('addresses');
  const part = page.getByRole('region', { name: 'Public addresses' });
  await part.getByLabel('Address').fill(gateway.url);
  await part.getByLabel('What the box is called there').fill('attic');
  await part.getByLabel('Token').fill('wrong');
  await press(part, 'Join');
  await said(/^invalid registration token$/);
  await part.getByLabel('Token').fill('secret');
  await press(part, 'Join');
  await page.getByText(`This box has joined ${gateway.url} as attic. The tunnel works.`).waitFor();

  await page.getByLabel('Name at the gateway').fill('my-notes');
  await press(page, 'Publish');
  await page.getByRole('link', { name: 'my-notes.example.test' }).waitFor();
  await said(/but does not answer yet: the app does not answer through the tunnel: 502/);
  await page.evaluate(() => scrollTo(0, 0));
  await checkFit(page);
  await press(page, 'Withdraw: my-notes.example.test');
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
  await page.getByText('notes, port 8230. For visitors: login ada, without login /api/*.').waitFor();
  deepEqual((await page.content()).includes('made-4711'), false, 'the password is shown once');
  await checkFit(page);
  await press(page, 'Withdraw: my-notes.example.test');
  await press(page.getByRole('dialog'), 'Withdraw');
  await said(/is not published any more$/);
  await page.getByRole('link', { name: 'my-notes.example.test' }).waitFor({ state: 'detached' });
  deepEqual(gateway.hashes, ['hash']);
  deepEqual(/secret|4711/.test(JSON.stringify(testBox.changes)), false);
});
