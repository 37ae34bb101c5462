import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inFewerBytes } from './compress.ts';
import { exchange, replyToFault, type Service } from './exchange.ts';
import { type Reply, rawReply, sendReply } from './reply.ts';
import { type StreamOptions, sendStream } from './stream.ts';

type Queue = {
  /** The request that is being carried out, or was answered before its body was complete. */
  current: { request: IncomingMessage; response: ServerResponse } | null;
  /** Settles when all requests so far have been carried out. */
  turns: Promise<void>;
  /** Number of requests that wait or are being carried out. */
  length: number;
  /** No further request is carried out. */
  isClosed: boolean;
  /** No further request arrives. */
  isEnding: boolean;
};

/** Limit on waiting requests of all connections, without the first one of each: a waiting request takes memory. */
const mostWaiting = 1000;

/** How long bytes are read and dropped after the last response of a connection. */
const lingerMs = 2000;

export type Connections = ReturnType<typeof makeConnections>;

/**
 * The requests of all connections. Pipelined requests of one connection are carried out one after the other, because
 * HTTP allows only safe methods in parallel (RFC 9112, 9.3.2). A request begins when the previous response has been
 * sent. So the server holds only one response for a client that does not read.
 * @param readWithinMs - how long a client may take to read a response before its connection is cut
 */
export function makeConnections(service: Service, readWithinMs: number) {
  const queues = new WeakMap<Duplex, Queue>();
  const underWay = new Map<IncomingMessage, Promise<unknown>>();
  let waitingCount = 0;
  const stopping = new AbortController();

  function queueOf(socket: Duplex): Queue {
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = { current: null, turns: Promise.resolve(), length: 0, isClosed: false, isEnding: false };
      queues.set(socket, queue);
    }
    return queue;
  }

  async function takeTurn(queue: Queue, request: IncomingMessage, response: ServerResponse): Promise<void> {
    await queue.turns;
    const isAborted = request.socket.destroyed || (queue.isEnding && !request.complete);
    if (!queue.isClosed && !isAborted) {
      queue.current = { request, response };
      const operation = exchange(request, response, service);
      underWay.set(request, operation);
      const reply = await operation;
      underWay.delete(request);
      if (reply !== null) {
        // Node drops the bytes after a request for an upgrade.
        queue.isClosed = reply.closes === true || stopping.signal.aborted || request.headers.upgrade !== undefined;
        const how = { service, closes: queue.isClosed, readWithinMs, stopping: stopping.signal };
        await send(request, response, reply, how);
      }
      if (request.complete) queue.current = null;
    }
    queue.length -= 1;
    if (queue.length > 0) waitingCount -= 1;
  }

  return {
    /** Carries a request out in its turn, unless its connection closes before. */
    take(request: IncomingMessage, response: ServerResponse): void {
      const queue = queueOf(request.socket);
      if (queue.isClosed) return;
      if (queue.length > 0) waitingCount += 1;
      queue.length += 1;
      // A client that read a response may send its next request before the server knows that the response was sent.
      if (waitingCount > mostWaiting && queue.length > 2) {
        queue.isClosed = true;
        request.socket.destroy();
      }
      queue.turns = takeTurn(queue, request, response);
    },
    /** Sends a last reply after the responses to all complete requests, then closes the connection. `null` only closes. */
    async endWith(socket: Duplex, reply: Reply | null): Promise<void> {
      const queue = queueOf(socket);
      // After a malformed packet, Node reports every further packet as malformed too.
      if (queue.isClosed || queue.isEnding) return;
      queue.isEnding = true;
      // The last reply replaces the response to an incomplete request.
      const isIncomplete = queue.current?.request.complete === false;
      if (!isIncomplete) await queue.turns;
      const isAnswered = isIncomplete && queue.current?.response.headersSent;
      if (reply === null || queue.isClosed || isAnswered) socket.destroy();
      else await sendLast(socket, rawReply(reply, service.server));
    },
    /**
     * From now on every response closes its connection. Aborts requests whose body is incomplete, and waits for the
     * operations under way, including those whose client is gone. `false` if some did not end in time. choice/box/129
     */
    drain(limitMs: number): Promise<boolean> {
      stopping.abort();
      for (const request of underWay.keys()) {
        if (request.complete) continue;
        underWay.delete(request);
        request.destroy();
      }
      return untilEmpty(underWay, limitMs);
    },
  };
}

type How = Omit<StreamOptions, 'server'> & { service: Service };

/** Sends a reply, and waits until the client has read it. Cuts the connection if that takes too long. */
async function send(request: IncomingMessage, response: ServerResponse, reply: Reply, how: How): Promise<void> {
  const { service, closes, readWithinMs } = how;
  const { server } = service;
  if (reply.closes) return sendLast(request.resume().socket, rawReply(reply, server, request.method));
  try {
    if (typeof reply.body === 'function') await sendStream(response, reply, { ...how, server });
    else sendReply(response, await inFewerBytes(reply, request.headers), server, closes);
  } catch (error) {
    sendReply(response, replyToFault(error, service), server, closes);
  }
  if (response.writableLength === 0) return;
  const signal = AbortSignal.timeout(readWithinMs);
  await finished(response, { signal }).catch(() => request.socket.destroy());
}

/** Closing a connection over unread bytes resets it, and the reset can overtake the response. */
async function sendLast(socket: Duplex, bytes: string): Promise<void> {
  if (socket.writable) socket.end(bytes);
  // Rejects if the client is gone, or does not close its end in time.
  await finished(socket.resume(), { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
  socket.destroy();
}

/** Waits until every operation has ended and was removed. `false` if that takes longer. */
async function untilEmpty(underWay: ReadonlyMap<unknown, Promise<unknown>>, limitMs: number): Promise<boolean> {
  if (underWay.size === 0) return true;
  report(`waiting up to ${limitMs / 1000} s for ${underWay.size} request(s) in flight`);
  const limit = pause(limitMs, 'over', { ref: false });
  while (underWay.size > 0 && (await Promise.race([limit, ...underWay.values()])) !== 'over');
  if (underWay.size > 0) report(`${underWay.size} request(s) did not end in time`);
  return underWay.size === 0;
}

function report(text: string): void {
  process.stderr.write(`stopping: ${text}\n`);
}
