import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { makeInFlight } from './in-flight.ts';

const turn = () => new Promise(setImmediate);

/** A connection as far as the order of its requests needs one. */
function connection() {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      if (socket.destroyed) return;
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  return {
    socket,
    request: (url: string, complete = true) =>
      ({ url, socket, complete, destroy: () => socket.destroy() }) as unknown as IncomingMessage,
  };
}

/** A response that was sent whole at once. */
const sent = { writableEnded: true, writableLength: 0, headersSent: true } as ServerResponse;
/** One that is not sent before it is ended and read. */
const unsent = () => new PassThrough() as unknown as PassThrough & ServerResponse;

/** Requests in flight; what was begun is ended by the tests. */
function inFlightOf(sendWithinMs = 60_000) {
  const begun: { url: string | undefined; over: (closes: boolean) => void }[] = [];
  const inFlight = makeInFlight(
    ({ url }) => new Promise((over) => void begun.push({ url, over })),
    sendWithinMs,
  );
  const take = (...requests: IncomingMessage[]) => {
    for (const request of requests) inFlight.take(request, sent);
  };
  return { begun, inFlight, take, urls: () => begun.map(({ url }) => url).join() };
}

test('choice/box/163: begins the next request of a connection when the one before it is over', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  take(request('a'), request('b'));
  assert.equal(urls(), 'a');
  begun[0]?.over(false);
  // Arrives before the turn of the earlier request begins.
  take(request('c'));
  await turn();
  assert.deepEqual([urls(), inFlight.count()], ['a,b', 1]);
  begun[1]?.over(false);
  await turn();
  begun[2]?.over(false);
  await inFlight.none();
  assert.equal(urls(), 'a,b,c');
});

test('begins what another connection sends at once', () => {
  const { take, urls } = inFlightOf();
  take(connection().request('a'), connection().request('b'));
  assert.equal(urls(), 'a,b');
});

test('choice/box/163: begins the next request when the response before it has been sent', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  const response = unsent();
  inFlight.take(request('a'), response);
  take(request('b'));
  begun[0]?.over(false);
  await turn();
  // The operation is over, so a stop need not wait for the client to read.
  assert.deepEqual([urls(), inFlight.count()], ['a', 0]);
  response.resume().end();
  await once(response, 'close');
  await turn();
  assert.equal(urls(), 'a,b');
});

test('choice/box/187: cuts a client off that does not read its response in time', async (t) => {
  const { begun, inFlight, take, urls } = inFlightOf(1);
  const { request, socket } = connection();
  // The limit itself keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  const closed = once(socket, 'close');
  inFlight.take(request('a'), unsent());
  take(request('b'));
  begun[0]?.over(false);
  await closed;
  await turn();
  assert.equal(urls(), 'a');
});

test('begins nothing more on a connection that a response closes', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  take(request('a'), request('b'));
  begun[0]?.over(true);
  await turn();
  take(request('c'));
  await turn();
  assert.deepEqual([urls(), inFlight.count()], ['a', 0]);
});

test('an operation goes on when its client went away, and no waiting request is begun', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request, socket } = connection();
  take(request('a'), request('b'));
  socket.destroy();
  let isOver = false;
  const none = inFlight.none().then(() => {
    isOver = true;
  });
  await turn();
  assert.deepEqual([isOver, inFlight.count()], [false, 1]);
  begun[0]?.over(false);
  await none;
  await turn();
  assert.equal(urls(), 'a');
});

test('choice/box/163: cuts off the client that makes a thousand requests wait one more, and only it', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const [one, other] = [connection(), connection()];
  take(one.request('a'), ...Array.from({ length: 600 }, () => one.request('ahead')));
  take(other.request('b'), ...Array.from({ length: 400 }, () => other.request('ahead')));
  assert.deepEqual([one.socket.destroyed, other.socket.destroyed], [false, false]);
  take(other.request('too many'), other.request('of the same packet'));
  assert.deepEqual([one.socket.destroyed, other.socket.destroyed], [false, true]);
  // Closing a connection frees its places, and a request that need not wait is never refused.
  take(connection().request('c'), ...Array.from({ length: 400 }, () => one.request('ahead')));
  assert.deepEqual([one.socket.destroyed, urls(), inFlight.count()], [false, 'a,b,c', 3]);
  for (const { over } of begun) over(true);
  await inFlight.none();
  await turn();
  assert.equal(urls(), 'a,b,c');
});

test('choice/box/163: a client whose requests wait one at a time is not cut off because others have taken all places', () => {
  const { take } = inFlightOf();
  const [greedy, modest] = [connection(), connection()];
  take(greedy.request('a'), ...Array.from({ length: 1000 }, () => greedy.request('ahead')));
  take(modest.request('b'), modest.request('next'));
  assert.deepEqual([greedy.socket.destroyed, modest.socket.destroyed], [false, false]);
  take(modest.request('one more'));
  assert.equal(modest.socket.destroyed, true);
});

test('aborts requests whose body is incomplete, and keeps the others in flight', async () => {
  const { inFlight, take } = inFlightOf();
  const [slow, quick] = [connection(), connection()];
  take(slow.request('half', false), quick.request('whole'));
  inFlight.dropIncomplete();
  assert.deepEqual([slow.socket.destroyed, quick.socket.destroyed, inFlight.count()], [true, false, 1]);
});

test('choice/box/14: the last response waits for the complete requests before it, and for no others', async () => {
  const { begun, inFlight, urls, take } = inFlightOf();
  const [one, other] = [connection(), connection()];
  const response = unsent();
  inFlight.take(one.request('first'), response);
  take(other.request('other'), one.request('half', false));
  const order: string[] = [];
  const last = inFlight.last(one.request('').socket).then((isHeard) => order.push(`heard: ${isHeard}`));
  begun[0]?.over(false);
  await turn();
  order.push('sent');
  response.resume().end();
  await last;
  assert.deepEqual(order, ['sent', 'heard: true']);
  assert.deepEqual([urls(), inFlight.count()], ['first,other', 1]);
});

for (const { what, response, isHeard } of [
  { what: 'takes the place of the response to an incomplete request', response: unsent(), isHeard: true },
  { what: 'is not sent after a response to an incomplete request', response: sent, isHeard: false },
]) {
  test(`the last response ${what}`, async () => {
    const { inFlight } = inFlightOf();
    const request = connection().request('half', false);
    inFlight.take(request, response);
    assert.equal(await inFlight.last(request.socket), isHeard);
  });
}

test('the last response is not sent after a response that closes the connection', async () => {
  const { begun, inFlight, take } = inFlightOf();
  const request = connection().request('only');
  take(request);
  const last = inFlight.last(request.socket);
  begun[0]?.over(true);
  assert.equal(await last, false);
});
