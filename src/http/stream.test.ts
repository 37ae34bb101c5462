import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Stream } from './reply.ts';
import { get, makeService, start } from './testing/test-service.ts';

const serve = (body: Stream, options = {}, type = 'text/event-stream') =>
  start({ ...makeService(), handle: async () => ({ status: 200, type, body }) }, options);

/** Ends when the client is gone, as a handler has to. */
const until = (gone: AbortSignal) => (gone.aborted ? Promise.resolve() : once(gone, 'abort'));

test('parts are sent as they come, and the end of the handler is the end of the response', async () => {
  const next = Promise.withResolvers<void>();
  const { url } = await serve(async function* () {
    yield 'one';
    await next.promise;
    yield Buffer.from('two');
  });
  const answer = await fetch(`${url}/thing`);
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const reader = answer.body?.getReader();
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'one');
  next.resolve();
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'two');
  assert.equal((await reader?.read())?.done, true);
});

test('a client that leaves ends the handler, and no time limit of the server does', async () => {
  const ended = Promise.withResolvers<string>();
  const { url } = await serve(
    async function* (gone) {
      yield 'one';
      await until(gone);
      ended.resolve('ended');
    },
    { headersTimeoutMs: 1, requestTimeoutMs: 1, responseTimeoutMs: 1 },
  );
  const client = new AbortController();
  const answer = await fetch(`${url}/thing`, { signal: client.signal });
  await answer.body?.getReader().read();
  client.abort();
  assert.equal(await ended.promise, 'ended');
});

test('a client that does not read is sent no more than a few parts, and is cut off in time', async () => {
  let made = 0;
  const ended = Promise.withResolvers<boolean>();
  const part = Buffer.alloc(1024 * 1024);
  const { port } = await serve(
    async function* (gone) {
      try {
        for (; !gone.aborted; made += 1) yield part;
      } finally {
        ended.resolve(gone.aborted);
      }
    },
    { responseTimeoutMs: 200 },
  );
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(get('/thing'));
  await ended.promise;
  socket.destroy();
  assert.ok(made < 20, `${made} MiB were made for a client that reads nothing`);
});

test('a shutdown ends a stream at once, in order', async () => {
  const listening = await serve(async function* (gone) {
    yield 'one';
    await until(gone);
  });
  const answer = await fetch(`${listening.url}/thing`);
  const text = answer.text();
  assert.equal(await listening.close(), true);
  assert.equal(await text, 'one');
});

test('a shutdown cuts a file that is being sent, so that nobody takes the part for the whole', async () => {
  const body: Stream = async function* (gone) {
    yield 'one';
    await until(gone);
  };
  const listening = await serve(body, {}, 'application/octet-stream');
  const answer = await fetch(`${listening.url}/thing`);
  const text = assert.rejects(answer.text());
  assert.equal(await listening.close(), true);
  await text;
});

test('HEAD does not start the stream', async () => {
  const { url } = await serve(() => assert.fail('started'));
  const answer = await fetch(`${url}/thing`, { method: 'HEAD' });
  assert.equal(answer.status, 200);
});
