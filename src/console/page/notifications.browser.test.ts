import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import { openConsole } from './testing/console-screen.ts';

const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };

test('an owner sets an address, tries it, and turns notifications off', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(t, () => undefined, phone);
  const { notifications } = testBox;
  await open('notifications');
  await page.getByText(/Notifications are off\.$/).waitFor();
  deepEqual(await accessibilityFaults(page), []);
  equal(await overflow(page), 0);

  await page.getByLabel('Address').fill('gopher://x');
  await press(page, 'Save');
  await said(/^expected an address that begins with https/);
  await press(page, 'Invent one at ntfy.sh');
  match(await page.getByLabel('Address').inputValue(), /^https:\/\/ntfy\.sh\/boxgate-\d{10,}$/);
  await page.getByLabel('Address').fill('push.example.org/message?token=A1b2c3');
  await page.keyboard.press('Enter');
  await said(/^Messages go to push\.example\.org now\.$/);
  equal(notifications.kept, 'https://push.example.org/message?token=A1b2c3');
  await page.getByText('None was sent yet.').waitFor();

  await press(page, 'Send a test message');
  await said(/^push\.example\.org answered 200 OK$/);
  equal(notifications.sent.length, 1);
  notifications.problem = 'answered 403 Forbidden';
  await press(page, 'Send a test message');
  await said(/^push\.example\.org answered 403 Forbidden$/);
  equal((await page.content()).includes('A1b2c3'), false, 'the token is not shown again');
  deepEqual(await accessibilityFaults(page), []);

  await press(page, 'Turn off');
  await said(/^Notifications are off\.$/);
  equal(notifications.kept, null);
  deepEqual(
    testBox.changes.map(({ operation, outcome, detail }) => `${operation}: ${outcome}, ${detail}`),
    [
      'set notifications: refused, expected an address that begins with https:// or http://',
      'set notifications: ok, Messages go to push.example.org now.',
      'set notifications: ok, Notifications are off.',
    ],
  );
});
