import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Carries a request out; settles when its operation has ended, with whether its response closes the connection. */
type CarryOut = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The requests of all connections. Pipelined requests of one connection are carried out one after the other, and the
 * next one begins when the response of the one before it has been handed to the kernel: a client that does not read
 * makes the server hold one response. choice/box/163
 */
export type InFlight = {
  /** Carries a request out in its turn, unless its connection closes before. */
  take(request: IncomingMessage, response: ServerResponse): void;
  /** Number of operations under way, also of those whose client is gone. */
  count(): number;
  /** Aborts requests whose body is incomplete: their operation did not begin. */
  dropIncomplete(): void;
  /** Settles when no operation is under way. */
  none(): Promise<void>;
  /**
   * Ends the queue of a connection on which no further request can be read. Settles when the responses to the complete
   * requests have been sent; true if the client may get one more response.
   */
  last(socket: Duplex): Promise<boolean>;
};

type Exchanged = { request: IncomingMessage; response: ServerResponse };

/** The requests of one connection. */
type Queue = {
  current: Exchanged | null;
  waiting: Exchanged[];
  /** Settles when nothing is current or waiting any more. */
  idle: Promise<void>;
  /** No further request is carried out. */
  closes: boolean;
};

/** Over all connections, not counting the first of each. A waiting request is held in memory with its headers. */
const mostWaiting = 1000;

/** `sendWithinMs` is how long a client may take to read a response before its connection is cut. */
export function makeInFlight(carryOut: CarryOut, sendWithinMs: number): InFlight {
  const queues = new WeakMap<Duplex, Queue>();
  const underWay = new Map<IncomingMessage, Promise<boolean>>();
  let waitingCount = 0;

  const queueOf = (socket: Duplex) => {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue = { current: null, waiting: [], idle: Promise.resolve(), closes: false };
    queues.set(socket, queue);
    socket.on('close', () => end(queue));
    return queue;
  };

  const keepWaiting = (queue: Queue, wanted: (exchanged: Exchanged) => boolean) => {
    waitingCount -= queue.waiting.length;
    queue.waiting = queue.waiting.filter(wanted);
    waitingCount += queue.waiting.length;
  };

  const end = (queue: Queue) => {
    queue.closes = true;
    keepWaiting(queue, () => false);
  };

  const takeTurn = async (queue: Queue, { request, response }: Exchanged) => {
    const operation = carryOut(request, response);
    underWay.set(request, operation);
    const closes = await operation;
    underWay.delete(request);
    if (closes) end(queue);
    const isSent = response.writableEnded && response.writableLength === 0;
    if (isSent || response.destroyed) return;
    // A client that does not read its response in time is cut off.
    const signal = AbortSignal.timeout(sendWithinMs);
    await finished(response, { signal }).catch(() => request.socket.destroy());
  };

  const takeTurns = async (queue: Queue, first: Exchanged) => {
    queue.current = first;
    while (queue.current !== null) {
      await takeTurn(queue, queue.current);
      queue.current = queue.waiting.shift() ?? null;
      if (queue.current !== null) waitingCount -= 1;
    }
  };

  return {
    take(request, response) {
      const queue = queueOf(request.socket);
      if (queue.closes) return;
      if (queue.current === null) {
        queue.idle = takeTurns(queue, { request, response });
        return;
      }
      queue.waiting.push({ request, response });
      waitingCount += 1;
      // A proxy that reads a response can send its next request before we know that the response was sent.
      if (waitingCount <= mostWaiting || queue.waiting.length === 1) return;
      end(queue);
      request.socket.destroy();
    },
    count: () => underWay.size,
    dropIncomplete() {
      for (const request of underWay.keys()) {
        if (request.complete) continue;
        underWay.delete(request);
        request.destroy();
      }
    },
    async none() {
      while (underWay.size > 0) await Promise.race(underWay.values());
    },
    async last(socket) {
      const queue = queueOf(socket);
      keepWaiting(queue, ({ request }) => request.complete);
      // Whatever came before a current request has been answered; one that is incomplete gets the last response.
      if (queue.current?.request.complete === false) return !queue.current.response.headersSent;
      await queue.idle;
      return !queue.closes;
    },
  };
}
