import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { sendBytes } from './raw-exchange.ts';

/** Sends these parts as soon as a client connects, each in a packet of its own. */
async function exchangeWith(...parts: string[]) {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    const write = () => {
      const part = parts.shift();
      if (part !== undefined) socket.write(part, () => setImmediate(write));
    };
    write();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  try {
    return await sendBytes(port, { parts: ['x'], responses: 2 });
  } finally {
    server.close();
  }
}

test('a chunked response is read to its end, whatever the packets are', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n';
  const next = 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}';
  const { responses } = await exchangeWith(...chunked, next);
  assert.deepEqual(
    responses.map(({ status, json }) => [status, json]),
    [
      [200, { a: 1 }],
      [404, {}],
    ],
  );
});
