import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { sendMessage } from './send-message.ts';

const message = 'notes is down.';

const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

test('posts the message with the credentials of the address, and reports the answer without them', async () => {
  const seen: string[] = [];
  await using other = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${request.headers.title} ${request.headers.authorization} ${body}`);
    response.end('{"topic":"topic-xyz",\n "id":1}');
  });
  const sent = await sendMessage(`http://me:pw@${other.host}/topic-xyz`, message);
  assert.deepEqual(sent, { isSent: true, answer: 'answered 200 OK: {"topic":"***", "id":1}' });
  assert.deepEqual(seen, [`POST /topic-xyz boxgate on ${hostname()} Basic bWU6cHc= notes is down.`]);
});

test('says why a message was not taken', async () => {
  const cases: [RequestListener, RegExp, timeoutMs?: number][] = [
    [(_, response) => response.writeHead(403).end('no topic-xyz here'), /^answered 403 Forbidden: no \*\*\* here$/],
    [(_, response) => response.writeHead(301, { Location: '/' }).end(), /^answered 301 Moved Permanently$/],
    [(_, response) => response.writeHead(500).end('x'.repeat(10_000)), /^answered 500 Internal Server Error: x{300}$/],
    [(request) => request.socket.destroy(), /^cannot be reached: ECONNRESET$/],
    [(request) => request.socket.write(upgrade), /^answered 101$/],
    [() => undefined, /^did not answer within 0\.2 s$/, 200],
  ];
  for (const [answer, expected, timeoutMs] of cases) {
    await using other = await serve(answer);
    const sent = await sendMessage(`http://${other.host}/topic-xyz`, message, timeoutMs);
    assert.equal(sent.isSent, false);
    assert.match(sent.answer, expected);
  }
  assert.match((await sendMessage('http://127.0.0.1:1/topic-xyz', message)).answer, /ECONNREFUSED/);
  assert.deepEqual(await sendMessage('http://me:50%@127.0.0.1:1/', message), {
    isSent: false,
    answer: 'cannot be used: URI malformed',
  });
});
