import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openScreen, press } from '../page/screen.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { answers, closeGate, feed, first, openGates, releases, reset, runs, second, startBox, unit } from './box.ts';
import { machine, writeThere } from './machine.ts';
import { stateDir, theEnd, Watch } from './state.ts';
import { waitFor } from './versions.ts';

/** A reverse proxy that behaves like the configurations in deploy/proxy. */
const proxy = createServer((request, response) => {
  if (request.url === '/update-state.json') {
    const file = machine.path(`${stateDir}/update-state.json`);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(existsSync(file) ? readFileSync(file) : '{}');
    return;
  }
  const { method = 'GET', url = '/', headers } = request;
  const asked = forward({ host: '127.0.0.1', port: 7000, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  asked.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end('no box')));
  request.pipe(asked);
});
const dropIn = `/etc/systemd/system/${unit}.d`;

before(() => startBox());
after(async () => {
  openGates();
  proxy.closeAllConnections();
  proxy.close();
  rmSync(machine.path(`${dropIn}/start.conf`), { force: true });
  await machine.run(['systemctl', 'daemon-reload']);
  await reset();
  await feed.close();
});

test('the page follows an update while the box is away, and comes back as the new version', async (t) => {
  const port = await freePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  mkdirSync(machine.path(dropIn), { recursive: true });
  writeThere(`${dropIn}/start.conf`, `[Service]\nExecStartPre=/bin/sh -c '${waitFor('start')}'\n`);
  await machine.mustRun(['systemctl', 'daemon-reload']);
  feed.serveFolder(join(releases, 'second'));

  const { page, shot } = await openScreen(t, `http://127.0.0.1:${port}/apps`, 1280, 900);
  const version = page.locator('meta[name=boxgate-version]');
  assert.equal(await version.getAttribute('content'), first);
  await press(page, 'Check for updates');
  await page.getByRole('button', { name: `Update to ${second}`, exact: true }).waitFor();
  closeGate('start');
  const watch = new Watch();
  t.after(() => watch.stop());
  await press(page, `Update to ${second}`);

  await watch.reaches('restarting');
  await until('the box is away', async () => (await answers()) === null);
  await page
    .getByText(/^Restarting the box software/)
    .first()
    .waitFor();
  await page.locator('#notice', { hasText: 'The box does not answer.' }).waitFor({ state: 'hidden' });
  await shot('self-update-away');

  openGates();
  const end = await theEnd();
  assert.equal(end.stage, 'done', JSON.stringify(end));
  await page.getByText(`Updated from ${first} to ${second} just now.`).first().waitFor();
  assert.equal(await version.getAttribute('content'), second);
  await shot('self-update-done');
  await runs(second, [first, second]);
});
