import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startFakeGateway } from '../../../src/box/addresses/testing/fake-gateway.ts';
import { startBox } from '../support/box.ts';
import { container, docker } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { freePort, launcher } from '../support/server-process.ts';

/** Publishing finds the port in a real Docker Engine, and removing an app withdraws its route. */
const run = promisify(execFile);

test('choice/gateway/312, choice/gateway/315: publishes the port of the settings, and withdraws it with the app', async (t) => {
  const gateway = await startFakeGateway();
  t.after(() => gateway.close());
  const box = await startBox(t, {
    'real-published': {
      compose: `services: { web: { image: "${registry}/web:1", ports: ["\${WEB_PORT:-5230}:8080"] } }`,
      manifest: { ports: [{ port: 5230, label: 'Web' }] },
      files: { '.env.example': 'WEB_PORT=5230\n' },
    },
  });
  const env = {
    ...box.environment(`${box.port}`),
    BOX_REGISTRATION_TOKEN: gateway.registrationToken,
    // No proxy runs here. Any HTTP answer ends the wait of `publish`.
    BOX_GATEWAY_PROXY: gateway.url,
  };
  const tunnel = (...words: string[]) => run(process.execPath, [launcher, 'tunnel', ...words], { env });
  const publish = (subdomain: string) => tunnel('publish', 'real-published', '--subdomain', subdomain);
  const port = await freePort();
  assert.equal((await box.install('real-published', { WEB_PORT: port })).status, 200);
  await tunnel('join', '--gateway', gateway.url, '--name', 'attic');

  const published = await publish('web');
  assert.match(published.stdout, new RegExp(`^real-published \\(port ${port}\\) is published at `));
  assert.equal(published.stderr, '');
  docker('stop', '-t', '0', container('real-published', 'web').id);
  await assert.rejects(publish('again'), /real-published publishes no port now/);

  assert.equal((await box.remove('real-published')).status, 200);
  assert.deepEqual(gateway.routes, []);
  assert.match(box.stderr, /^web\.example\.test is not published any more: its app was removed$/m);
});
