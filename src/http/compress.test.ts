import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inFewerBytes } from './compress.ts';
import type { Reply } from './reply.ts';
import { rawClient } from './testing/raw-client.ts';
import { get, makeService, start } from './testing/test-service.ts';

const list = (length: number) => Object.freeze(Array.from({ length }, (_, index) => `app ${index}`));
const large = list(10_000);
const text = JSON.stringify(large);

test('a large list is sent in fewer bytes to a client that takes them', async () => {
  const service = { ...makeService(), handle: async () => ({ status: 200, body: large }) };
  const { port, url } = await start(service);
  const client = await rawClient(port);
  client.send(get('/thing', 'Accept-Encoding: gzip\r\n').replace('GET', 'HEAD'));
  const { headers } = await client.answer({ head: true });
  assert.ok(Number(headers.get('content-length')) < text.length / 3);
  assert.equal(headers.get('content-type'), 'application/json');
  // This client takes gzip, and unpacks it.
  const response = await fetch(`${url}/thing`);
  assert.deepEqual(
    ['content-encoding', 'vary', 'cache-control'].map((name) => response.headers.get(name)),
    ['gzip', 'Accept-Encoding', 'no-store'],
  );
  assert.equal(await response.text(), text);
});

test('which replies are compressed, and for which clients', async () => {
  const reply = { status: 200, body: large };
  const after = (one: Reply, accepted?: string) =>
    inFewerBytes(one, accepted === undefined ? {} : { 'accept-encoding': accepted });
  for (const accepted of ['gzip', 'br, GZIP', 'deflate,gzip;q=0.5', 'gzip ; q=1.0, *']) {
    const { body, headers } = await after(reply, accepted);
    assert.equal(headers?.['Content-Encoding'], 'gzip', accepted);
    assert.equal(gunzipSync(body as Buffer).toString(), text);
  }
  assert.equal((await after(reply, 'gzip')).body, (await after(reply, 'gzip')).body, 'it is compressed once');
  for (const accepted of [undefined, '', 'br', 'gzip;q=0', 'gzip;q=0.0, *', 'gzip;q=x', 'x-gzip', 'gzip;x=1']) {
    assert.deepEqual(await after(reply, accepted), { ...reply, headers: { Vary: 'Accept-Encoding' } }, accepted);
  }
  const page = { status: 200, type: 'text/html', body: text };
  const others = [
    page,
    { status: 200, body: list(10) },
    { status: 200, body: [...large] },
    { status: 200, body: null },
  ];
  for (const other of others) assert.equal(await after(other, 'gzip'), other);
});
