import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { checkFit, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import type { Box } from '../../box/server.ts';
import { openConsole, phone } from './testing/console-screen.ts';

test('an owner sees what is wrong first, and makes a report', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(
    t,
    ({ box, machine, installed }) => {
      const updateFiles = { readRunning: async () => null };
      box.selfUpdate = { version: '1.0.0', updateFiles } as unknown as Box['selfUpdate'];
      machine.commands.set('docker version', '26.1.5').set('docker compose version', '2.26.1');
      machine.commands.set('journalctl', 'from 203.0.113.7 <b>');
      installed('notes');
    },
    phone,
  );
  await open('box');
  await page.getByText(/^\d things are wrong\.$/).waitFor();
  const rows = page.locator('.room').first().getByRole('listitem');
  match(await rows.first().innerText(), /^Boxgate\s+!\s*Problem\s+The server has never run; systemctl start/);
  await page.getByRole('heading', { name: /^What is right: \d+$/ }).click();
  await rows.filter({ hasText: 'Right' }).first().waitFor();
  match(await rows.filter({ hasText: 'Backups' }).first().innerText(), /Off\s+No backup is made at night/);
  equal(await page.getByRole('link', { name: 'Open Backups' }).getAttribute('href'), '#/backups');
  await checkFit(page);

  await press(page, 'Make a report');
  await said(/^The report is below/);
  const report = await page.getByLabel('Report').inputValue();
  match(report, /## doctor\n[\s\S]*from PUBLIC-ADDRESS <b>/);
  equal(await overflow(page), 0);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download it').click()]);
  equal(download.suggestedFilename(), 'boxgate-report.txt');

  testBox.containers.fail('observe', 'Cannot connect to the Docker daemon.', true);
  await press(page, 'Look again');
  await page.getByText(/Docker does not say what they do/).waitFor();
});
