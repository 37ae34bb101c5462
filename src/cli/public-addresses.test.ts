import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tunnelInFolder } from '../box/addresses/testing/tunnel-in-folder.ts';
import { runCommand } from '../lib/process/run-command.ts';
import { makePublicAddresses } from './public-addresses.ts';
import { readBoxSettings } from './settings/box-settings.ts';

test('a box joins a gateway, publishes and withdraws, and a failure is a refusal without the token', async (t) => {
  const { folder, gateway, tunnel } = await tunnelInFolder(t);
  const started: string[] = [];
  const settings = readBoxSettings({ flags: { '--state-dir': [folder] }, env: {} });
  const addresses = makePublicAddresses(settings, {
    makeTunnel: () => tunnel,
    start: async () => void started.push('tunnel'),
    portOf: async () => 5230,
  });
  assert.deepEqual([await addresses.show(), await addresses.ofApp('notes')], [null, null]);
  const request = { gateway: gateway.url, name: 'attic', token: 'not-this-one' };
  await assert.rejects(addresses.join(request), (error: Error) => !error.message.includes(request.token));
  await assert.rejects(
    addresses.join({ ...request, gateway: 'http://example.org' }),
    /expected an address that is https:/,
  );
  assert.deepEqual(started, []);
  const { ok, text } = await addresses.join({ ...request, token: gateway.registrationToken });
  assert.ok(ok, text);
  assert.match(text, /^this box has joined http:\/\/127\.0\.0\.1:\d+ as /);
  assert.deepEqual(started, ['tunnel']);

  assert.deepEqual(await addresses.ofApp('notes'), []);
  const asBefore = { port: null, login: null, allow: null, openPaths: null };
  const published = await addresses.publish({ app: 'notes', subdomain: 'notes', ...asBefore });
  assert.match(published.text, /^notes is published at https:\/\/notes\.example\.test/);
  assert.equal(published.password, '');
  const shown = await addresses.show();
  assert.deepEqual(
    shown?.routes.map(({ host, app, port }) => [host, app, port]),
    [['notes.example.test', 'notes', 5230]],
  );
  assert.equal(shown?.boxName, 'attic');
  mkdirSync(join(folder, 'apps/feeds'), { recursive: true });
  const rules = { port: 5231, login: 'ada', allow: '203.0.113.0/24', openPaths: '/api/*,/ping' };
  for (const wrong of [{ login: 'a:b' }, { allow: 'attic' }, { openPaths: 'no' }]) {
    await assert.rejects(addresses.publish({ app: 'feeds', subdomain: 'feeds', ...rules, ...wrong }), /expected /);
  }
  const guarded = await addresses.publish({ app: 'feeds', subdomain: 'feeds', ...rules });
  assert.match(guarded.password, /^[0-9a-f]{32}$/);
  assert.ok(!guarded.text.includes(guarded.password));
  assert.deepEqual(
    (await addresses.ofApp('feeds'))?.map(({ host, url, app, port, access }) => [host, url, app, port, access]),
    [
      [
        'feeds.example.test',
        'https://feeds.example.test',
        'feeds',
        5231,
        'login ada, only from 203.0.113.0/24, without login /api/* /ping',
      ],
    ],
  );
  assert.match((await addresses.withdraw('notes.example.test')).text, /is not published any more/);
  await assert.rejects(addresses.withdraw('notes.example.test'), /this box has no route/);
});

test('a tunnel that does not start is told with the command that starts it', async (t) => {
  const { folder, gateway, tunnel } = await tunnelInFolder(t);
  const addresses = makePublicAddresses(readBoxSettings({ flags: { '--state-dir': [folder] }, env: {} }), {
    makeTunnel: () => tunnel,
    start: async () => {
      await runCommand(['boxgate-no-such-program'], { cwd: '/', timeoutMs: 1000 });
    },
  });
  const request = { gateway: gateway.url, name: 'attic', token: gateway.registrationToken };
  const { ok, text } = await addresses.join(request);
  assert.equal(ok, false);
  assert.match(text, /but the tunnel does not start; run: sudo systemctl enable --now boxgate-tunnel\.service/);
});
