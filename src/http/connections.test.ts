import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawClient } from './testing/raw-client.ts';
import { get, type Log, makeService, post, start } from './testing/test-service.ts';

/** A server whose `POST /wait` ends with `release`. */
async function startWaiting() {
  const log: Log = [];
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { port } = await start(makeService(log, gate));
  const handled = () => log.filter((line) => line.startsWith('handle')).join();
  const until = async (line: string) => {
    while (!log.includes(line)) await new Promise(setImmediate);
  };
  return { port, log, release, handled, until };
}

test('carries out pipelined requests one after the other', async () => {
  const { port, log, release, handled, until } = await startWaiting();
  const [client, other] = [await rawClient(port), await rawClient(port)];
  client.send(post('/wait', '') + post('/echo', '{"a":1}'));
  await until('handle wait');
  client.send(get('/thing'));
  // Other connections do not wait.
  other.send(get('/'));
  await other.answer();
  assert.equal(handled(), 'handle wait,handle page');
  release();
  for (const body of ['{"thing":"ü"}', '{"a":1}', '{"thing":"ü"}']) {
    assert.equal((await client.answer()).body, body);
  }
  assert.deepEqual(log.filter((line) => /^(handle|done)/.test(line)).slice(2), [
    'done',
    'handle echo',
    'done',
    'handle show',
    'done',
  ]);
});

test('an operation goes on when its client went away, and no waiting request is begun', async () => {
  const { port, log, release, handled, until } = await startWaiting();
  const [client, other] = [await rawClient(port), await rawClient(port)];
  client.send(post('/wait', '') + get('/thing'));
  await until('handle wait');
  client.socket.resetAndDestroy();
  // By the time another client has its response, the server knows that the first one is gone.
  other.send(get('/'));
  await other.answer();
  release();
  await until('done');
  other.send(get('/'));
  await other.answer();
  assert.equal(handled(), 'handle wait,handle page,handle page');
  assert.equal(log.filter((line) => line === 'done').length, 1);
});

test('cuts off the client that makes a thousand requests wait one more, and only it', async () => {
  const { port, release, until } = await startWaiting();
  const [one, other, modest] = [await rawClient(port), await rawClient(port), await rawClient(port)];
  one.send(post('/wait', '') + get('/thing').repeat(600));
  other.send(post('/wait', '') + get('/thing').repeat(400));
  await until('handle wait');
  // One waiting request a connection is allowed even now.
  modest.send(get('/') + get('/thing'));
  for (let count = 0; count < 2; count += 1) assert.equal((await modest.answer()).status, 200);
  other.send(get('/thing').repeat(2));
  assert.equal(await other.closed(), '');
  release();
  for (let count = 0; count < 601; count += 1) assert.equal((await one.answer()).status, 200);
  // No requests wait any more.
  one.send(get('/thing').repeat(1000));
  for (let count = 0; count < 1000; count += 1) assert.equal((await one.answer()).status, 200);
});

test('closes the connection if the body of a request that was already refused is malformed', async () => {
  const { port } = await startWaiting();
  const client = await rawClient(port);
  client.send(post('/echo', '', 'X-Bad: 1\r\nTransfer-Encoding: chunked\r\n'));
  assert.equal((await client.answer()).status, 403);
  client.send('no length\r\n');
  assert.equal(await client.closed(), '');
});
