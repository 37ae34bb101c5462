import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makeHealth } from './health.ts';

test('choice/box/365: a server that answers is asked for its version', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(503, { server: 'boxgate/2.0.0' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  assert.deepEqual(await makeHealth().ask(address), { status: 503, server: 'boxgate/2.0.0' });
  server.close();
  await once(server, 'close');
  const answer = await makeHealth().ask(address);
  assert.ok('problem' in answer && /ECONNREFUSED/.test(answer.problem), JSON.stringify(answer));
});

test('an address that is none is a problem', async () => {
  assert.ok('problem' in (await makeHealth().ask('x')));
});
