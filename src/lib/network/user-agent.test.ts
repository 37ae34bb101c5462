import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { makeGatewayClient } from '../../client/gateway-client.ts';
import { secondsUntilCut } from '../../gateway/adapters/traefik/slow-request.ts';
import { exchange } from '../../gateway/adapters/wg-easy/wg-easy-request.ts';
import { sendMessage } from '../../notify/send-message.ts';
import { openSource } from '../../self-update/adapters/source.ts';
import { portOf } from '../testing/port-of.ts';
import { probeHost } from './probe-host.ts';

test('every kind of request names its program', async (t) => {
  const agents: (string | undefined)[] = [];
  const server = createServer({ headersTimeout: 300, connectionsCheckingInterval: 100 }, (request, response) => {
    agents.push(request.headers['user-agent']);
    response.end('{}');
  });
  let unfinished = '';
  server.on('connection', (socket) => {
    socket.on('data', (bytes) => {
      unfinished = bytes.toString();
    });
  });
  const url = `http://127.0.0.1:${await portOf(t, server)}`;
  const signal = AbortSignal.timeout(5000);
  for (const ask of [
    () => probeHost(url, 'notes.my.org'),
    () => sendMessage(url, 'a text'),
    () => openSource('feed', url, signal),
    () => exchange(new URL(url), { method: 'GET', path: '/', cookie: null }, 5000),
    () =>
      makeGatewayClient(url)
        .listRoutes({ boxId: 'box_1', boxToken: 'x' })
        .catch(() => undefined),
  ]) {
    await ask();
    assert.match(agents.pop() ?? 'none', /^(?:boxgate|node)$/, ask.toString());
  }
  await secondsUntilCut(url, 'notes.my.org');
  assert.match(unfinished, /\r\nUser-Agent: boxgate\r\n/);
});
