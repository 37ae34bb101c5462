import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { makeInFlight } from './in-flight.ts';

/** A connection as far as the order of its requests needs one. */
function connection() {
  const destroy = () => {
    socket.destroyed = true;
  };
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy });
  return {
    request(url: string, complete = true) {
      return { url, socket, complete, destroy } as unknown as IncomingMessage;
    },
    /** As `node:http` sees a client that goes away. */
    close() {
      socket.destroyed = true;
      socket.emit('close');
    },
  };
}

/** Requests in flight; what was begun is ended by the tests. */
function inFlightOf(readWithinMs?: number) {
  const begun: { request: IncomingMessage; over: (closes: boolean) => void }[] = [];
  const inFlight = makeInFlight(
    (request, _response, over) => void begun.push({ request, over }),
    readWithinMs,
  );
  const take = (...requests: IncomingMessage[]) => {
    for (const request of requests) inFlight.take(request, {} as ServerResponse);
  };
  return { begun, inFlight, take, urls: () => begun.map(({ request }) => request.url) };
}

test('choice/box/163: begins the next request of a connection when the one before it is over', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  take(request('a'), request('b'));
  assert.deepEqual(urls(), ['a']);
  begun[0]?.over(false);
  // Came while the turn of the one before it had not yet begun.
  take(request('c'));
  await null;
  assert.deepEqual(urls(), ['a', 'b']);
  assert.equal(inFlight.count(), 2);
  begun[1]?.over(false);
  await null;
  begun[2]?.over(false);
  assert.deepEqual(urls(), ['a', 'b', 'c']);
  assert.equal(inFlight.count(), 0);
});

test('begins what another connection sends at once', () => {
  const { take, urls } = inFlightOf();
  take(connection().request('a'), connection().request('b'));
  assert.deepEqual(urls(), ['a', 'b']);
});

test('begins nothing more on a connection that an answer closes, and nothing of it is in flight', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  take(request('a'), request('b'));
  begun[0]?.over(true);
  take(request('c'));
  await null;
  assert.deepEqual(urls(), ['a']);
  assert.equal(inFlight.count(), 0);
});

test('an operation goes on when its client went away, and nothing that waited behind it is begun', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const client = connection();
  take(client.request('a'), client.request('b'));
  client.close();
  assert.equal(inFlight.count(), 2);
  let settled = false;
  const none = inFlight.none().then(() => {
    settled = true;
  });
  await null;
  assert.equal(settled, false);
  begun[0]?.over(false);
  await none;
  assert.deepEqual(urls(), ['a']);
});

test('choice/box/163: cuts off whoever sends more than a thousand ahead, and ends only what it has begun', async () => {
  const { begun, inFlight, take, urls } = inFlightOf();
  const { request } = connection();
  const first = request('first');
  take(first, ...Array.from({ length: 1000 }, () => request('ahead')));
  assert.deepEqual([first.socket.destroyed, inFlight.count()], [false, 1001]);
  take(request('too many'), request('of the same packet'));
  assert.deepEqual([first.socket.destroyed, inFlight.count()], [true, 1]);
  begun[0]?.over(false);
  await null;
  assert.deepEqual([urls(), inFlight.count()], [['first'], 0]);
});

test('cuts off whoever has not sent a request whole, and keeps the others in flight', () => {
  const { begun, inFlight, take } = inFlightOf();
  const [slow, quick] = [connection(), connection()];
  const half = slow.request('half', false);
  take(half, quick.request('whole'));
  inFlight.dropIncomplete();
  assert.equal(half.socket.destroyed, true);
  assert.equal(inFlight.count(), 1);
  begun[1]?.over(false);
  assert.equal(inFlight.count(), 0);
});

test('choice/box/14: the last word on a connection waits for the whole requests before it, and for no others', async () => {
  const { begun, inFlight, urls, take } = inFlightOf();
  const [one, other] = [connection(), connection()];
  const first = one.request('first');
  const answer = new PassThrough();
  inFlight.take(first, answer as unknown as ServerResponse);
  take(other.request('other'), one.request('half', false));
  const order: string[] = [];
  const last = inFlight.last(first.socket).then((isHeard) => order.push(`heard: ${isHeard}`));
  begun[0]?.over(false);
  await new Promise(setImmediate);
  order.push('sent');
  answer.resume().end();
  await last;
  assert.deepEqual(order, ['sent', 'heard: true']);
  assert.deepEqual([urls(), inFlight.count()], [['first', 'other'], 1]);
});

test('choice/box/15: the last word does not wait for a client that never reads its answers', async (t) => {
  const { begun, inFlight } = inFlightOf(1);
  const request = connection().request('only');
  inFlight.take(request, new PassThrough() as unknown as ServerResponse);
  begun[0]?.over(false);
  // The limit itself keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  assert.equal(await inFlight.last(request.socket), true);
});

test('the last word on a connection that an answer closes is not heard', async () => {
  const { begun, inFlight, take } = inFlightOf();
  const request = connection().request('only');
  take(request);
  begun[0]?.over(true);
  assert.equal(await inFlight.last(request.socket), false);
});
