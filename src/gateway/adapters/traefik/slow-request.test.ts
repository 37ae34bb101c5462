import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTraefik } from '../../../../fakes/traefik/traefik.ts';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { secondsUntilCut } from './slow-request.ts';
import { readProxyState } from './traefik-api.ts';

const folder = temporaryFolder();

for (const [readTimeoutMs, shown] of [
  [1000, '1s'],
  [0, null],
] as const) {
  test(`a proxy that reads a request for ${readTimeoutMs} ms: its API and a slow request agree`, async (t) => {
    const traefik = await startTraefik({ routesDir: mkdtempSync(join(folder, 'routes-')), readTimeoutMs });
    t.after(traefik.close);
    assert.equal((await readProxyState(traefik.apiUrl, 'websecure'))?.readTimeout, shown);
    const seconds = await secondsUntilCut(traefik.url, 'a.test', readTimeoutMs === 0 ? 2500 : undefined);
    assert.equal(seconds !== null && seconds >= 1, readTimeoutMs !== 0, `${seconds} s`);
  });
}

test('another program at the address of the API, or none, says nothing', async (t) => {
  const traefik = await startTraefik({ routesDir: mkdtempSync(join(folder, 'routes-')) });
  t.after(traefik.close);
  assert.equal(await readProxyState(traefik.url, 'websecure'), null);
  assert.equal(await readProxyState(traefik.apiUrl, 'unknown'), null);
  for (const nobody of ['http://127.0.0.1:1', 'http://127.0.0.1:9']) {
    assert.equal(await readProxyState(nobody, 'websecure'), null);
    assert.equal(await secondsUntilCut(nobody, 'a.test', 2500), null);
  }
});
