import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import type { Service } from './exchange.ts';
import { rawClient } from './testing/raw-client.ts';
import { get, makeService, post, start } from './testing/test-service.ts';

/** A server in its own process with a page of 60 kB. A POST returns the size of its heap. */
const program = `
  import { serveUntilSignal } from ${JSON.stringify(import.meta.resolve('./serve.ts'))};
  const held = () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const page = Buffer.alloc(60_000, 'x');
  const service = {
    server: 'test/1', maxBodyBytes: 1000, admit() {}, readBody: () => ({}), match: () => ({}),
    handle: (_match, _body, { method }) =>
      method === 'GET' ? { status: 200, type: 'text/html', body: page } : { status: 200, body: { held: held() } },
    refusalReply: () => null,
  };
  await serveUntilSignal({ host: '127.0.0.1', port: 0, service });
`;

const connections = 100;

/** Sends requests on many connections and reads nothing. Settles when the kernel has accepted all of them. */
async function flood(port: number, requests: number): Promise<Socket[]> {
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1' }).pause());
  const sends = sockets.map(
    (socket) =>
      new Promise((resolve) => {
        socket.on('error', resolve); // The server may close the connection.
        socket.write(get('/').repeat(requests), resolve);
      }),
  );
  await Promise.all(sends);
  return sockets;
}

test('clients that pipeline and never read take little memory, and others get responses', {
  timeout: 120_000,
}, async (t) => {
  const child = spawn(process.execPath, ['--expose-gc', '--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const port = Number(/:(\d+)\n$/.exec(String(line))?.[1]);
  const other = await rawClient(port);
  /** Memory of the server after it has read the flood and answered twenty other requests. */
  const heldBytes = async () => {
    for (let count = 0; count < 20; count += 1) {
      other.send(get('/'));
      assert.equal((await other.answer()).status, 200);
    }
    other.send(post('/', ''));
    return Number(JSON.parse((await other.answer()).body).held);
  };
  const sockets = await flood(port, 1);
  const before = await heldBytes();
  sockets.push(...(await flood(port, 1000)));
  const after = await heldBytes();
  t.diagnostic(`${before >> 20} MiB held, then ${after >> 20}`);
  // A waiting request takes 3 kB: all of them would be 290 MiB, and their responses more.
  assert.ok(after < before + 64 * 2 ** 20, `${before} bytes held, then ${after}`);
  for (const socket of sockets) socket.destroy();
  other.socket.destroy();
});

test('choice/gateway/17: a client that does not read a response in time is cut off, and only it', {
  timeout: 60_000,
}, async (t) => {
  const page = { status: 200, type: 'text/html', body: Buffer.alloc(32 * 2 ** 20) };
  const small = { status: 200, body: {} };
  const handle: Service['handle'] = async ({ operationId }) => (operationId === 'page' ? page : small);
  const { port } = await start({ ...makeService(), handle }, { responseTimeoutMs: 200 });
  const silent = connect({ port, host: '127.0.0.1' }).pause();
  silent.on('error', () => {});
  const closed = new Promise((resolve) => silent.on('close', resolve));
  silent.write(get('/'));
  const other = await rawClient(port);
  for (let count = 0; count < 3; count += 1) {
    other.send(get('/thing'));
    assert.equal((await other.answer()).status, 200);
  }
  // A failing write shows that the server has closed the connection.
  const poke = setInterval(() => silent.write('x'), 20);
  t.after(() => clearInterval(poke));
  await closed;
});
