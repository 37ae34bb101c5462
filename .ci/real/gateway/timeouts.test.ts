import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway } from '../support/gateway.ts';
import { type Box, boxOf } from '../support/gateways.ts';
import { part } from '../support/part.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';
import { overTls } from './over-tls.ts';

/**
 * Tests how long a real Traefik waits for a box, with the gateway's route file and with a copy that has a shorter limit
 * for response headers. A box is switched off by dropping every packet to its address.
 */
const folder = join(required('BOXGATE_REAL'), 'traefik-timeouts');
const [tlsPort, apiPort] = [8444, 8082];
const domain = 'wait.example';
const port = 3000;
const [longHeaderTimeout, shortHeaderTimeout] = ['120s', '5s'];
/** Longer than the short limit and than the keep-alive time of a connection. */
const silenceMs = 8_000;
/** The limits for a connection and for headers are 8 s and 5 s. The rest is a margin for a slow machine. */
const soonMs = 25_000;

let manager: WgEasy;
let gateway: Gateway;
let box: Box;
let app: Server;

before(async () => {
  manager = await startWgEasy();
  gateway = new Gateway({ manager, domain });
  await gateway.start();
  const args = [gateway.routes, String(tlsPort), String(apiPort), '--providers.providersthrottleduration=100ms'];
  await part('traefik_start', folder, required('BOXGATE_TRAEFIK'), ...args);
  box = boxOf(await gateway.register('attic'));
  app = serveApp().listen(port, box.address);
  await once(app, 'listening');
  assert.equal((await gateway.as(box).publish('usual', port)).status, 201);
  putShortCopy();
  for (const name of ['usual', 'short'])
    await until(`${name} is served`, async () => (await overTls(tlsPort, hostOf(name))).status === 200);
});
after(async () => {
  await part('traefik_stop', folder);
  await gateway.kill();
  await manager.close();
  app.close();
  app.closeAllConnections();
});

const hostOf = (name: string) => `${name}.${domain}`;

/** Writes a copy of the gateway's file with other names and the shorter limit. */
function putShortCopy(): void {
  const text = gateway.routeFiles().get(box.id) ?? '';
  assert.ok(text.includes(longHeaderTimeout), text);
  const copy = text
    .replaceAll('boxgate-', 'short-')
    .replaceAll('`usual.', '`short.')
    .replaceAll(longHeaderTimeout, shortHeaderTimeout);
  writeFileSync(join(gateway.folder, 'short'), copy);
  renameSync(join(gateway.folder, 'short'), join(gateway.routes, 'short.yml'));
}

/** An app that is slow in several ways. */
function serveApp(): Server {
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/poll') await pause(1000);
    if (incoming.url === '/silent') return;
    if (incoming.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      await pause(silenceMs);
      response.end('data: 2\n\n');
      return;
    }
    let bytes = 0;
    for await (const chunk of incoming) bytes += chunk.length;
    response.end(`got ${bytes}`);
  });
  server.on('upgrade', (_incoming, socket) => {
    socket.on('error', () => undefined).pipe(socket);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  // The proxy decides how long a connection is kept.
  server.keepAliveTimeout = 0;
  return server;
}

function open(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const host = hostOf('short');
  const options = { host: '127.0.0.1', port: tlsPort, path, method, servername: host, agent: false } as const;
  return request({ ...options, headers: { ...headers, host }, rejectUnauthorized: false });
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) body += text;
  return body;
}

/** Runs `work` while every packet to the box is dropped. */
async function switchedOff<T>(work: () => Promise<T>): Promise<T> {
  const rule = ['INPUT', '-d', box.address, '-j', 'DROP'];
  execFileSync('iptables', ['-w', '-I', ...rule]);
  try {
    return await work();
  } finally {
    execFileSync('iptables', ['-w', '-D', ...rule]);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: Math.round(performance.now() - start) };
}

test('a box that is switched off costs a visitor the wait for a connection', async (t) => {
  await overTls(tlsPort, hostOf('usual'));
  const count = () => new Promise((resolve) => app.getConnections((_error, open) => resolve(open)));
  await until('the proxy keeps no connection that is not in use', async () => (await count()) === 0);
  const { result, ms } = await switchedOff(() => timed(() => overTls(tlsPort, hostOf('usual'))));
  t.diagnostic(`${result.status} after ${ms} ms`);
  assert.equal(result.status, 504);
  assert.ok(ms < soonMs, `${ms} ms`);
  assert.equal((await overTls(tlsPort, hostOf('usual'))).status, 200, 'it is back');
});

test('a kept connection that goes silent is given up too', async (t) => {
  await overTls(tlsPort, hostOf('short'));
  const { result, ms } = await switchedOff(() => timed(() => overTls(tlsPort, hostOf('short'))));
  t.diagnostic(`${result.status} after ${ms} ms`);
  assert.equal(result.status, 504);
  assert.ok(ms < soonMs, `${ms} ms`);
});

test('an app that accepts and never answers is given up', async () => {
  const [answer] = (await once(open('/silent').end(), 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 504);
});

// The pauses below are the delays under test; they do not synchronise.
test('what is slow and alive is not cut off', { concurrency: true }, async (t) => {
  await Promise.all([
    t.test('an upload', async () => {
      const upload = open('/', { 'content-length': '2' }, 'POST');
      const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
      upload.write('a');
      await pause(silenceMs);
      upload.end('b');
      assert.equal(await bodyOf((await answered)[0]), 'got 2');
    }),
    t.test('a stream of events, or a download that stalls', async () => {
      const [answer] = (await once(open('/events').end(), 'response')) as [IncomingMessage];
      assert.equal(await bodyOf(answer), 'data: 1\n\ndata: 2\n\n');
    }),
    t.test('a request that the app keeps waiting on purpose', async () => {
      const [answer] = (await once(open('/poll').end(), 'response')) as [IncomingMessage];
      assert.deepEqual([answer.statusCode, await bodyOf(answer)], [200, 'got 0']);
    }),
    t.test('a web socket', async () => {
      const asked = open('/', { connection: 'Upgrade', upgrade: 'websocket' }).end();
      const [, socket] = await once(asked, 'upgrade');
      await pause(silenceMs);
      socket.write('hello');
      assert.equal(String((await once(socket, 'data'))[0]), 'hello');
      socket.destroy();
    }),
  ]);
});
