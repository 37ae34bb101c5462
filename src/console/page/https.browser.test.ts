import { deepEqual, equal, match } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessibilityFaults, checkFit, needsBrowser, press } from '../../box/page/testing/browser.ts';
import { openConsole, phone } from './testing/console-screen.ts';

const domain = 'box.example.org';

test('HTTPS is switched on, and what an owner typed stays there if something is missing', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(
    t,
    ({ box, root, installed, machine }) => {
      installed('notes');
      const caddyfile = join(root, 'Caddyfile');
      writeFileSync(caddyfile, ':80 {\n}\n');
      box.https = { ...box.https, variables: new Map([['BOX_HTTPS_CADDYFILE', caddyfile]]) };
      machine.pages.set('https://127.0.0.1', { status: 200 });
    },
    phone,
  );
  const dialog = page.getByRole('dialog');
  await open('https');
  const name = page.getByLabel('Name of the page, such as box.example.org');
  await name.fill('https://box.example.org');
  await press(page, 'Switch on');
  await said(/write the name alone, without https:\/\/ and without a path; nothing was changed/);
  await name.fill(domain);
  await press(page, 'Switch on');
  await said(/box\.example\.org has no address/);
  equal(await name.inputValue(), domain);
  for (const part of await page.locator('summary').all()) await part.click();
  await checkFit(page);

  testBox.machine.hosts = new Map([domain, `boxgate-check.${domain}`].map((host) => [host, ['192.168.1.7']]));
  await press(page, 'Switch on');
  await page.getByRole('link', { name: `https://${domain}` }).waitFor();
  await said(/^The HTTPS addresses are there:\nhttps:\/\/box\.example\.org\/ {2}the page/);
  await press(page, 'Ask for a login: the login');
  match(await dialog.innerText(), /come back at https:\/\/box\.example\.org\/settings\/#\/https/);
  deepEqual(await accessibilityFaults(page), []);
  await dialog.getByLabel('Name of the login').fill('ada');
  await dialog.getByLabel('Password').fill('correct horse');
  await press(dialog, 'Ask for it');
  await page.getByText('It protects: the page and the apps.').waitFor();
  equal(testBox.box.https.setting()?.login?.of, 'all');
  await checkFit(page);
  await press(page, 'End HTTPS');
  match(await dialog.innerText(), /come back at http:\/\/192\.168\.1\.7\/settings\//);
  await press(dialog, 'End HTTPS');
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
});
