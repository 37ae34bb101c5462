// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installApp } from '../apps/install.ts';
import { updateAppSettings } from '../apps/settings.ts';
import { ContainersFailed } from '../core.ts';
import type { PublishedPort } from '../rules/compose/published-ports.ts';
import { useTestBox } from '../testing/test-box.ts';

const testBox = useTestBox();

const published = (hostPort: number, protocol = 'tcp'): PublishedPort[] => [
  { address: '0.0.0.0', hostPort, containerPort: 80, protocol },
];
const app = (variable: string, more = '') => ({
  'compose.yaml': `services:\n  web:\n    image: registry/web:1\n    restart: always\n    ports: ["\${${variable}:-8080}:80"${more}]\n`,
});
const change = (name: string, settings: Record<string, unknown>) => updateAppSettings(testBox.box, { name, settings });
const install = (name: string, settings = {}) => installApp(testBox.box, { name, settings });
const containerOf = (name: string) => {
  const found = testBox.containers.containers.find(({ project }) => project === name);
  assert.ok(found);
  return found;
};
const listen = (port: number, address = '', protocol = 'tcp') =>
  testBox.sockets.push({ protocol, address, from: port, to: port, inode: '1', isThisBox: false });
const refused = (promise: Promise<unknown>, message: string) => assert.rejects(promise, { status: 400, message });

/** Two running apps that publish ports: notes 8080, feeds 8081. */
async function runTwoApps(): Promise<void> {
  testBox.installed('notes', { ...app('NOTES_PORT'), '.env': 'TITLE=a\n' });
  testBox.installed('feeds', { ...app('FEEDS_PORT'), '.env': 'FEEDS_PORT=8081\n' });
  await change('notes', {});
  containerOf('notes').published = published(8080);
  containerOf('feeds').published = published(8081);
  testBox.containers.calls = [];
}

describe('choice/box/287: a port in use', () => {
  test('is refused before anything is changed, with the app that uses it', async () => {
    await runTwoApps();
    const before = testBox.tree();
    const ids = testBox.containers.containers.map(({ id }) => id);
    const message = 'NOTES_PORT: port 8081 is in use by the app feeds; choose another one';
    await refused(change('notes', { NOTES_PORT: 8081, TITLE: 'b' }), message);
    assert.deepEqual(testBox.containers.calls, ['observe', 'config notes']);
    assert.deepEqual(testBox.tree(), before);
    assert.equal(testBox.file('notes/.env'), 'TITLE=a\n');
    assert.deepEqual(
      testBox.containers.containers.map(({ id }) => id),
      ids,
    );
  });

  test('is refused for a first install and for a repeated one', async () => {
    await runTwoApps();
    testBox.bundle('third', { ...app('THIRD_PORT'), '.env.example': 'THIRD_PORT=8081\n' });
    testBox.bundle('notes', app('NEW_PORT'));
    const before = testBox.tree();
    const message = (key: string) => `${key}: port 8081 is in use by the app feeds; choose another one`;
    await refused(install('third'), message('THIRD_PORT'));
    await refused(install('notes', { NEW_PORT: '8081' }), message('NEW_PORT'));
    assert.deepEqual(testBox.tree(), before);
    await install('third', { THIRD_PORT: '8082' });
  });

  test('is recognized by address and protocol', async () => {
    testBox.installed('names', {
      'compose.yaml':
        'services:\n  dns:\n    image: registry/dns:1\n    ports: ["${AT:-0.0.0.0}:53:53/udp", "127.0.0.1:${WEB:-8080}:80"]\n',
    });
    listen(53, '127.0.0.53', 'udp');
    listen(8080, '192.168.1.5');
    listen(8080, '', 'udp');
    await refused(
      change('names', {}),
      'service dns: port 53/udp is in use by another program on this machine; choose another one',
    );
    await change('names', { AT: '192.168.1.5' });
    listen(8090);
    await refused(
      change('names', { WEB: 8090 }),
      'WEB: port 8090 is in use by another program on this machine; choose another one',
    );
  });

  test('is refused if two services of one app want it', async () => {
    testBox.installed('pair', {
      'compose.yaml':
        'services:\n  web: { image: "registry/web:1", ports: ["${WEB:-80}:80", "${WEB:-80}:80/tcp"] }\n  ssh: { image: "registry/ssh:1", ports: ["${SSH:-22}:22"] }\n',
    });
    await change('pair', {});
    const message = 'SSH: port 80 is in use by the service web of the same app; choose another one';
    await refused(change('pair', { SSH: 80 }), message);
  });
});

describe('choice/box/287: a port that the app itself uses', () => {
  test('is unknown while Docker does not answer, so no socket refuses anything', async () => {
    await runTwoApps();
    listen(8080);
    testBox.containers.failing.set('observe', new ContainersFailed('Docker does not answer', true));
    assert.deepEqual(
      (await change('notes', { TITLE: 'b' })).map(({ kind }) => kind),
      ['write_env', 'error', 'error'],
    );
  });
});

describe('choice/box/287: a setting that is not a port', () => {
  test('is refused with the value, or without it if it may be a secret (choice/box/530)', async () => {
    const manifest = { name: 'notes', version: '1', settings: [{ name: 'DOOR', type: 'password' }] };
    testBox.installed('notes', {
      ...app('NOTES_PORT', ', "${DOOR:-81}:81"'),
      'manifest.json': JSON.stringify(manifest),
    });
    await change('notes', {});
    const before = testBox.tree();
    for (const value of ['99999', '-1', 'web']) {
      const message = `NOTES_PORT: "${value}" is not a port; use a number from 1 to 65535`;
      await refused(change('notes', { NOTES_PORT: value }), message);
    }
    await refused(
      change('notes', { DOOR: '99999' }),
      'its Compose file: "•••" is not a port; use a number from 1 to 65535',
    );
    assert.deepEqual(testBox.tree(), before);
  });

  test('is refused also while a placeholder is left; a port in use is not, because nothing is started', async () => {
    testBox.bundle('notes', { ...app('NOTES_PORT'), '.env.example': 'API_TOKEN=changeme\n' });
    await refused(
      install('notes', { NOTES_PORT: '-1' }),
      'NOTES_PORT: "-1" is not a port; use a number from 1 to 65535',
    );
    assert.equal(testBox.box.folders.find('installed', 'notes'), null);
    listen(8080);
    await assert.rejects(install('notes'), { refusal: 'placeholderLeft' });
  });

  test('is refused with the file if the Compose file of the bundle or of the owner has the port', async () => {
    testBox.bundle('notes', { 'compose.yaml': 'services: { web: { image: "registry/web:1", ports: ["70000:80"] } }' });
    await refused(install('notes'), 'its Compose file: "70000" is not a port; use a number from 1 to 65535');
    testBox.bundle('notes', { 'compose.yaml': 'services: { web: { image: "registry/web:1" } }' });
    await install('notes');
    testBox.installed('notes', {
      'compose.override.yaml': 'services: { web: { ports: ["${MINE}:80"] } }',
    });
    await refused(install('notes', { MINE: '70000' }), 'MINE: "70000" is not a port; use a number from 1 to 65535');
  });
});

test('an app without a readable Compose file has no ports to check', async () => {
  testBox.installed('torn', { 'compose.yaml': 'services: [what\n' });
  testBox.installed('none', { 'compose.yaml': '' });
  listen(8080);
  for (const name of ['torn', 'none']) await change(name, { PORT: 8080 });
});
