import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holds } from '../lib/testing/holds.ts';
import { type ListenOptions, listen } from './listen.ts';
import { rawClient } from './testing/raw-client.ts';
import { clientOf, get, type Log, makeService, post, start } from './testing/test-service.ts';

test('choice/box/7: answers 413 and closes the connection for a large body: by length, in chunks, to a GET, on any path', async () => {
  const { port } = await start();
  const large = 'x'.repeat(1001);
  const requests = [
    post('/echo', large),
    post('/echo', '', 'Content-Length: 5000000000\r\n'),
    post('/nothing', large),
    post('/echo', `3e9\r\n${large}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked\r\n'),
    get('/thing', 'Content-Length: 1001\r\n') + large,
    get('/thing', 'Content-Length: 1001\r\nExpect: 100-continue\r\n'),
    `PUT /thing HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n${large}`,
  ];
  for (const request of requests) {
    const client = await rawClient(port);
    client.send(request);
    const { status, headers, body } = await client.answer();
    assert.equal(status, 413, request.slice(0, 100));
    assert.equal(headers.get('connection'), 'close');
    assert.equal(body, '{"error":"too large"}');
    assert.equal(await client.closed(), '');
  }
});

test('a client that sends far too much still reads its 413', async () => {
  const client = await clientOf();
  client.send(post('/echo', '', 'Transfer-Encoding: chunked\r\n'));
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  for (let i = 0; i < 100; i++) client.send(chunk);
  assert.equal((await client.answer()).status, 413);
});

test('sends one response on a connection that its client asked to close', async () => {
  const client = await clientOf();
  client.send(`${get('/thing', 'Connection: close\r\n')}${get('/thing')}`);
  assert.equal((await client.answer()).status, 200);
  assert.equal(await client.closed(), '');
});

for (const { what, sent, answered } of [
  { what: 'nonsense', sent: 'nonsense\r\n\r\n', answered: 400 },
  { what: 'an unknown method', sent: 'BREW /thing HTTP/1.1\r\nHost: x\r\n\r\n', answered: 405 },
  { what: 'a CONNECT request', sent: 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', answered: 405 },
]) {
  test(`sends pending responses before it closes a connection for ${what}`, async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const client = await clientOf(makeService([], gate));
    client.send(`${post('/wait', '')}${get('/thing')}${sent}`);
    release();
    assert.equal((await client.answer()).status, 200);
    assert.equal((await client.answer()).status, 200);
    assert.equal((await client.answer()).status, answered);
    assert.equal(await client.closed(), '');
  });
}

test('sends nothing after the 413 of a large body whose rest is malformed', async () => {
  const client = await clientOf();
  client.send('POST /thing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.send(`5dc\r\n${'x'.repeat(1500)}\r\n`);
  assert.equal((await client.answer()).status, 413);
  client.send('no length\r\n');
  assert.equal(await client.closed(), '');
});

test('a client that sends CONNECT and resets the connection, or never closes it, does no harm', async () => {
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService() });
  const tunnel = 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let count = 0; count < 20; count++) {
    const client = await rawClient(listening.port);
    client.socket.write(tunnel, () => client.socket.resetAndDestroy());
    await client.closed();
  }
  const other = await rawClient(listening.port);
  other.send(get('/thing'));
  assert.equal((await other.answer()).status, 200);

  const halfOpen = await rawClient(listening.port, true);
  halfOpen.send(tunnel);
  await halfOpen.closed();
  await listening.close();
  halfOpen.socket.destroy();
});

test('an upgrade is ignored, and the connection closes', async () => {
  const client = await clientOf();
  client.send(get('/thing', 'Connection: Upgrade\r\nUpgrade: websocket\r\n') + get('/thing'));
  const { status, headers } = await client.answer();
  assert.deepEqual([status, headers.get('connection')], [200, 'close']);
  assert.equal(await client.closed(), '');
});

/** choice/box/15, choice/gateway/17 */
test('cuts off a client that is silent, or slow with its headers or its body', async () => {
  const { port } = await start(makeService(), { headersTimeoutMs: 200, requestTimeoutMs: 400 });
  for (const beginning of ['', 'GET /thing HT', post('/echo', '{', 'Content-Length: 10\r\n')]) {
    const client = await rawClient(port);
    if (beginning !== '') client.send(beginning);
    await client.closed();
  }
});

/** Stops a server during an operation, which `release` can end. Returns the messages of the stop. */
async function stopSaying(options: Partial<ListenOptions>, release: (end: () => void) => void): Promise<string> {
  const log: Log = [];
  const { promise: gate, resolve: end } = Promise.withResolvers<void>();
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log, gate), ...options });
  const client = await rawClient(listening.port);
  client.send(post('/wait', ''));
  while (!log.includes('handle wait')) await new Promise(setImmediate);
  const write = process.stderr.write;
  let said = '';
  process.stderr.write = ((text: string) => {
    said += text;
    return true;
  }) as typeof write;
  const closed = listening.close();
  release(end);
  await closed.finally(() => {
    process.stderr.write = write;
  });
  await client.closed();
  return said;
}

test('choice/box/129, choice/gateway/108: a stop waits up to 80 s for operations and reports them', async () => {
  const said = await stopSaying({}, (end) => end());
  assert.equal(said, 'stopping: waiting up to 80 s for 1 request(s) in flight\n');
});

test('choice/box/129: a stop ends without an endless operation and reports it', async () => {
  const said = await stopSaying({ drainMs: 50 }, () => {});
  assert.equal(
    said,
    'stopping: waiting up to 0.05 s for 1 request(s) in flight\nstopping: 1 request(s) did not end in time\n',
  );
});

test('a stop ends a CONNECT request that waits for an endless operation', { timeout: 60_000 }, async () => {
  const log: Log = [];
  const service = makeService(log, new Promise(() => {}));
  const listening = await listen({ host: '127.0.0.1', port: 0, service, drainMs: 50 });
  const client = await rawClient(listening.port);
  client.send(`${post('/wait', '')}CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (!log.includes('handle wait')) await new Promise(setImmediate);
  assert.equal(await listening.close(), false);
  assert.equal(await client.closed(), '');
});

test('ignores a request whose client goes away before its body is complete', async () => {
  const log: Log = [];
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log) });
  const client = await rawClient(listening.port);
  client.send(post('/echo', '{"a":', 'Content-Length: 100\r\n'));
  while (!log.includes('admit')) await new Promise(setImmediate);
  client.socket.destroy();
  await listening.close();
  assert.deepEqual(log, ['admit']);
});

/** choice/box/16 */
test('whatever bytes come, the server goes on answering', async () => {
  const { port } = await start();
  const piece = fc.constantFrom(
    'GET ',
    'POST ',
    '/thing',
    '/echo',
    ' HTTP/1.1\r\n',
    'Host: x\r\n',
    'Content-Length: 2\r\n',
  );
  const rest = fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '{}',
    'Transfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
    '\0',
    'ÿ',
    'Expect: 100-continue\r\n',
  );
  const bytes = fc.oneof(
    fc.array(fc.oneof(piece, rest), { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
    fc.uint8Array({ maxLength: 100 }).map((raw) => Buffer.from(raw)),
  );
  await holds(
    fc.asyncProperty(bytes, async (sent) => {
      const client = await rawClient(port);
      client.socket.end(sent);
      const answers = await client.closed();
      assert.ok(answers === '' || /^HTTP\/1\.1 (100|200|400|403|404|405|413) /.test(answers), answers.slice(0, 200));
      const after = await rawClient(port);
      after.send(get('/thing'));
      assert.equal((await after.answer()).status, 200);
      after.socket.destroy();
    }),
    { numRuns: 150 },
  );
});

test('a stop does not wait for the rest of an incomplete request', {
  timeout: 60_000,
}, async () => {
  const log: Log = [];
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log) });
  const client = await rawClient(listening.port);
  client.send(post('/echo', '{"a":', 'Content-Length: 100\r\n'));
  while (!log.includes('admit')) await new Promise(setImmediate);
  await listening.close();
  await client.closed();
  assert.deepEqual(log, ['admit']);
});
