import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startBox } from '../support/box.ts';
import { container, docker } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { ServerProcess } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { openScreen, phone, press } from './screen.ts';

test('an owner sets notifications, and gets one message when an app is down and one when it is back', async (t) => {
  const messages: string[] = [];
  const ntfy = createServer(async (request, response) => {
    for await (const chunk of request) messages.push(String(chunk));
    response.end('{"topic":"garden"}');
  }).listen(0, '127.0.0.1');
  t.after(() => ntfy.close());
  await once(ntfy, 'listening');
  const name = 'real-page-notify';
  const box = await startBox(t, { [name]: { compose: `services: { web: { image: "${registry}/web:1" } }` } });
  await box.install(name);
  const console = new ServerProcess(['box', 'console'], (port) => ({
    ...box.environment(String(box.port)),
    BOX_CONSOLE_PORT: port,
  }));
  t.after(() => console.kill());
  await console.start();
  const { page, shot } = await openScreen(t, `${box.url}/apps`, ...phone);
  await page.goto(`${console.url}/settings/#/notifications`);
  const { port } = ntfy.address() as AddressInfo;
  await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/garden`);
  await press(page, 'Save');
  await press(page, 'Send a test message');
  await page.getByText(/answered 200 OK/).waitFor();
  await shot('notifications');
  assert.deepEqual(messages.splice(0), ['This is a test. Messages of this box arrive here.']);

  docker('stop', '-t', '0', container(name, 'web').id);
  await until('the message that it is down', () => messages.length > 0);
  docker('start', container(name, 'web').id);
  await until('the message that it is back', () => messages.length > 1);
  await box.stop();
  await box.start();
  await page.goto(`${console.url}/settings/#/box`);
  await page.getByText('1 installed, and all run').waitFor();
  await shot('this-box');
  assert.match(messages.join('\n'), /^real-page-notify is down\. It stopped .*\.\nreal-page-notify runs again\.$/);
});
