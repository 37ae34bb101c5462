import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkFit, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { openConsole, phone } from './testing/console-screen.ts';

const long = `image-${'x'.repeat(200)}`;
const text = `services:\n  web:\n    image: ${long}\n    privileged: true\n    ports: ["8080:80"]\n`;

test('a pasted file is checked, shown below, kept, and removed from the offer', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(t, () => undefined, phone);
  const [name, file] = [page.getByLabel(/^Name of the app/), page.getByLabel('Compose file')];
  const found = page.getByRole('heading', { name: 'What My Notes may do here' });
  await open('own');
  await name.fill('My Notes');
  await file.fill(text);
  await press(page, 'Check');
  await said(/^The file was checked/);
  await page.locator('h2:focus', { hasText: 'What My Notes may do here' }).waitFor();
  await page.getByText(/^As good as root on the box: web \(privileged\)/).waitFor();
  await checkFit(page);

  await file.fill('services: {}');
  await press(page, 'Check');
  await said(/^this file makes no app: it has no services/);
  equal(await found.count(), 0, 'what is kept is what was typed last');
  await file.fill(text);
  await press(page, 'Check');
  await press(page, 'Keep: My Notes');
  await said(/^My Notes is kept/);
  await page.getByRole('link', { name: /^Install it on the page Apps/ }).waitFor();
  deepEqual([await found.count(), await name.inputValue(), await file.inputValue()], [0, '', '']);
  equal(testBox.box.apps.one('bundled', 'my-notes')?.manifest?.display_name, 'My Notes');

  await press(page, 'Remove from the offer: My Notes');
  await press(page.getByRole('dialog'), 'Remove');
  await said(/is not offered any more/);
  equal(testBox.box.apps.one('bundled', 'my-notes'), null);
});
