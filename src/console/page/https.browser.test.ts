import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, needsBrowser, overflow } from '../../box/page/testing/browser.ts';
import { openConsole } from './testing/console-screen.ts';

const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };
const certificate = '-----BEGIN CERTIFICATE-----\n';

test('an owner finds the names, and the certificate that devices have to trust', needsBrowser, async (t) => {
  const { testBox, page, open } = await openConsole(t, ({ installed }) => void installed('notes'), phone);
  await open('https');
  await page.getByText(/^In a shell of the box/).waitFor();

  const { https } = testBox.box;
  await https.makeFolder();
  await https.write(new Map([['app-notes.caddy', '']]));
  await https.keep({
    domain: 'box.example.org',
    caddyfile: '/etc/caddy/Caddyfile',
    certificate: { by: 'local' },
    login: null,
    closing: null,
  });
  await https.keepRootCertificate(certificate);
  await page.reload();
  await page.getByText('iPhone, iPad').waitFor();
  const links = await page.locator('#room .row a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  deepEqual(links, ['https://box.example.org/', 'https://notes.box.example.org/']);
  // The test box has no Caddy that answers.
  match(await page.locator('.warning').first().innerText(), /box\.example\.org|do not follow/);
  const href = await page.getByRole('link', { name: 'root.crt' }).getAttribute('href');
  const response = await page.request.get(new URL(href ?? '', page.url()).href);
  equal(response.headers()['content-type'], 'application/x-x509-ca-cert');
  equal(await response.text(), certificate);
  deepEqual(await accessibilityFaults(page), []);
  equal(await overflow(page), 0);

  await open('apps/notes');
  equal(await page.getByRole('link', { name: 'https://notes.box.example.org/' }).count(), 1);
});
