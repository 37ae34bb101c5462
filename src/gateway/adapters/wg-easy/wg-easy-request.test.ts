import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { timeOfCalls } from '../../testing/tunnels.ts';
import { type Call, exchange } from './wg-easy-request.ts';

/** Longer than any response takes. */
const patientMs = 60_000;
const probe: Call = { method: 'GET', path: '/api/session', cookie: null };

/** A TCP server with a given handler, and the bytes that it received. */
async function listen(t: TestContext, answer: (socket: Socket) => void) {
  let received = '';
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      received += bytes;
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { root: new URL(`http://127.0.0.1:${port}`), port, received: () => received, sockets };
}

const head = (...lines: string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;

test('sends the request on its own connection', async (t) => {
  const { root, port, received, sockets } = await listen(t, (socket) => socket.end(`${head('content-length: 2')}ok`));
  const call: Call = { method: 'POST', path: '/api/client', cookie: 'wg-easy=x', body: { name: 'a' } };
  assert.equal((await exchange(new URL('/wg/', root), call, patientMs)).body, 'ok');
  assert.deepEqual(received().split('\r\n'), [
    'POST /wg/api/client HTTP/1.1',
    'User-Agent: boxgate',
    'accept: application/json',
    `host: 127.0.0.1:${port}`,
    'cookie: wg-easy=x',
    'content-type: application/json',
    'content-length: 12',
    'Connection: close',
    '',
    '{"name":"a"}',
  ]);
  await exchange(root, probe, patientMs);
  assert.equal(sockets.size, 2);
});

test('does not send the user info of a URL', async (t) => {
  const { root, received } = await listen(t, (socket) => socket.end(head('content-length: 0')));
  root.username = 'user';
  root.password = 'secret';
  await exchange(root, probe, patientMs);
  assert.doesNotMatch(received(), /authorization|secret/i);
});

test('returns a redirection and does not follow it', async (t) => {
  const { root, sockets } = await listen(t, (socket) =>
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'),
  );
  assert.equal((await exchange(root, probe, patientMs)).status, 307);
  assert.equal(sockets.size, 1);
});

describe('a failure', () => {
  for (const [name, answer, fault, message] of [
    ['no answer', () => {}, 'timeout', /^no answer within 60 s$/],
    ['half an answer', (socket: Socket) => socket.write(`${head('content-length: 9')}half`), 'timeout', /^no answer/],
    ['half a head', (socket: Socket) => socket.write('HTTP/1.1 200'), 'timeout', /^no answer/],
    ['a connection that ends', (socket: Socket) => socket.end(), 'lost', /^ECONNRESET$/],
    ['a connection that breaks', (socket: Socket) => socket.resetAndDestroy(), 'lost', /^ECONNRESET$/],
    ['a body that ends', (socket: Socket) => socket.end(`${head('content-length: 9')}half`), 'lost', /^ECONNRESET$/],
    ['no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'unexpected', /^not an HTTP response/],
    [
      'an endless answer',
      (socket: Socket) => {
        socket.write(head());
        const more = () => socket.writable && socket.write(Buffer.alloc(1024 * 1024), more);
        more();
      },
      'unexpected',
      /^a response of more than 8388608 bytes$/,
    ],
  ] as const) {
    test(`${name}: ${fault}`, { timeout: patientMs }, async (t) => {
      const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
      const { root } = await listen(t, (socket) => {
        answer(socket);
        resolve();
      });
      const endCall = timeOfCalls(t, patientMs);
      const rejected = assert.rejects(exchange(root, probe, patientMs), { name: 'WgEasyError', fault, message });
      // The time limit ends the call only after the server has sent everything that it ever sends.
      await isAnswered;
      if (fault === 'timeout') endCall();
      await rejected;
    });
  }

  test('a closed port: unreachable', async (t) => {
    const { root } = await listen(t, () => {});
    const free = new URL(root);
    free.port = '1';
    await assert.rejects(exchange(free, probe, patientMs), { fault: 'unreachable', message: 'ECONNREFUSED' });
  });

  test('an unknown host name: unreachable', async () => {
    const root = new URL('http://wg.invalid');
    await assert.rejects(exchange(root, probe, patientMs), {
      fault: 'unreachable',
      message: /^(ENOTFOUND|EAI_AGAIN)$/,
    });
  });

  test('a port without TLS: unreachable', async (t) => {
    const { port } = await listen(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await assert.rejects(exchange(new URL(`https://127.0.0.1:${port}`), probe, patientMs), { fault: 'unreachable' });
  });
});
