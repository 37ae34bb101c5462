import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { startConsole } from '../support/console.ts';
import { container, docker, environment } from '../support/programs/docker.ts';
import { moveTag, newTag, notesCompose, registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { openScreen, phone, press } from './screen.ts';

const name = 'real-console-notes';
const down = 'real-console-down';
const web = (image: string) => ({ compose: `services: { web: { image: "${registry}/web:${image}" } }` });

function notesApp(tag: string, port: number): AppFiles {
  return {
    compose: notesCompose(tag, port),
    manifest: {
      display_name: 'Notes',
      ports: [{ port }],
      settings: [
        { name: 'TITLE', label: 'Title', type: 'text' },
        { name: 'ADMIN_PASSWORD', label: 'Password', type: 'password' },
      ],
    },
    files: { '.env.example': 'TITLE=one\nADMIN_PASSWORD=change-me\n' },
  };
}

/** An image that no other tag names, so that its removal is seen. */
function pushNewImage(tag: string): void {
  docker('pull', '--quiet', `${registry}/web:1`);
  const made = docker('create', `${registry}/web:1`);
  docker('commit', '--change', `LABEL only=${tag}`, made, `${registry}/web:${tag}`);
  docker('rm', made);
  docker('push', '--quiet', `${registry}/web:${tag}`);
  docker('rmi', `${registry}/web:${tag}`);
}

/** An ntfy that records the messages. */
async function startRecorder() {
  const messages: string[] = [];
  const server = createServer(async (request, response) => {
    for await (const chunk of request) messages.push(String(chunk));
    response.end('{"topic":"garden"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { messages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/garden`, server };
}

test('what an owner does in the console, on a real engine', async (t) => {
  const [tag, port] = [newTag('console'), await freePort()];
  pushNewImage(tag);
  const ntfy = await startRecorder();
  t.after(() => ntfy.server.close());
  const box = await startBox(t, { [name]: notesApp(tag, port), [down]: web('3') });
  for (const [app, settings] of [
    [name, { TITLE: 'one', ADMIN_PASSWORD: 'hunter2hunter2' }],
    [down, {}],
  ] as const) {
    const { status, body } = await box.install(app, settings);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const server = await startConsole(t, box);
  const { page } = await openScreen(t, `${box.url}/apps`, ...phone);
  const dialog = page.getByRole('dialog');
  const open = async (room: string) => {
    // From another page, so that the browser loads this one anew.
    await page.goto('about:blank');
    await page.goto(`${server.url}/settings/#/${room}`);
    await page.locator('#room .waiting').first().waitFor({ state: 'detached' });
  };
  const said = (text: RegExp) => page.locator('.said').filter({ hasText: text }).waitFor({ timeout: 60_000 });
  await t.test('sets an address for notifications, and sends a test message', async () => {
    await open('notifications');
    await page.getByLabel('Address', { exact: true }).fill(ntfy.url);
    await press(page, 'Save');
    await press(page, 'Send a test message');
    await page.getByText(/answered 200 OK/).waitFor();
    assert.ok(ntfy.messages.includes('This is a test. Messages of this box arrive here.'));
  });

  await t.test('reads the live log, restarts the app and undoes its settings', async () => {
    assert.equal((await box.change(name, { TITLE: 'two' })).status, 200);
    const print = (text: string) =>
      docker('exec', container(name, 'web').id, 'sh', '-c', `echo '${text}' >/proc/1/fd/1`);
    await open(`apps/${name}`);
    print('a <b>line</b> with hunter2hunter2');
    await page.getByText('web | a <b>line</b> with •••').waitFor();
    const { startedAt } = container(name, 'web');
    await press(page, 'Restart');
    await until('the page, too, shows the restart', async () => {
      const list = (await box.get('/api/apps')).body as { name: string; operation?: { kind: string } }[];
      return list.some((app) => app.name === name && app.operation?.kind === 'restart');
    });
    await said(/ was restarted and runs/);
    assert.notEqual(container(name, 'web').startedAt, startedAt);
    print('another line');
    await page.getByText('web | another line').waitFor();
    await press(page, 'Undo the latest settings');
    await dialog.getByText('two → one').waitFor();
    await press(dialog, 'Undo');
    await said(/has its previous settings again/);
    assert.equal(environment(container(name, 'web').id).get('TITLE'), 'one');
  });

  await t.test('removes the image that an update has replaced', async () => {
    const { image } = container(name, 'web');
    await moveTag(tag, '2');
    assert.equal((await box.update(name)).status, 200);
    await open('space');
    await page.getByText(`web:${tag} of ${name}: `).waitFor();
    await press(page, 'Remove now: earlier versions of apps');
    await said(/^removed /);
    assert.throws(() => docker('image', 'inspect', image), /No such image/);
    // After the last change, which starts all apps. The message comes some time later.
    docker('stop', '--time', '0', container(down, 'web').id);
  });

  await t.test('gets one message when an app is down, and one when it is back', async () => {
    const messages = () => ntfy.messages.filter((text) => text.startsWith(down));
    await until('the message that it is down', () => messages().length > 0);
    docker('start', container(down, 'web').id);
    await until('the message that it is back', () => messages().length > 1);
    await box.stop();
    await box.start();
    await open('box');
    await page.getByText(/^What is right:/).click();
    await page.getByText('2 installed, and all run').waitFor();
    assert.match(
      messages().join('\n'),
      /^real-console-down is down\. It stopped .*\.\nreal-console-down runs again\.$/,
    );
  });
});
