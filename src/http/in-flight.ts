import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';

type Exchanged = { request: IncomingMessage; response: ServerResponse };

/** Carries a request out; `over` is called once, when its operation has ended, and told whether its connection ends too. */
type CarryOut = (request: IncomingMessage, response: ServerResponse, over: (closes: boolean) => void) => void;

/**
 * The requests whose operation is under way or waits, their clients still there or not. A client that sends the next
 * request before it has an answer may count on what the one before it does: of each connection one is under way, and
 * the others wait for their turn. choice/box/163
 */
export type InFlight = {
  /** Carries a request out in its turn; never where the connection closes. */
  take(request: IncomingMessage, response: ServerResponse): void;
  count(): number;
  /** Cuts off those of whom a part is still to come: nothing was begun for them. */
  dropIncomplete(): void;
  /** Settles when none is in flight. */
  none(): Promise<void>;
  /**
   * What comes next on a connection is no request, nor is anything behind it. Settles when the answers to the whole
   * requests before it have been sent; true where its client may get one more.
   */
  last(socket: Duplex): Promise<boolean>;
};

/** What is in flight on one connection. It is made once, so that a request of its own turn costs no more than a look. */
type Line = {
  underWay: IncomingMessage | null;
  /** To the request that was begun last. */
  response: ServerResponse | null;
  /** The answer to the last request that is over; it may still be on its way behind earlier ones. */
  answer: ServerResponse | null;
  waiting: Exchanged[];
  /** The last request was over and its answer closes the connection. */
  closes: boolean;
  /** The socket is closed; an operation may go on. */
  isGone: boolean;
  over: (closes: boolean) => void;
};

/** A client that sends more ahead of its answers would fill the memory: each request that waits is held whole. */
const mostWaiting = 1000;

/** A property of the socket is found faster than an entry of a map, which would be made and dropped for each request. */
const lineKey = Symbol('line');
type LinedSocket = Socket & { [lineKey]?: Line };

/** `readWithinMs` is how long an answer that is there may take to leave for a client that reads slowly, or not at all. */
export function makeInFlight(carryOut: CarryOut, readWithinMs = 10_000): InFlight {
  const lines = new Set<Line>();
  const checks = new Set<() => void>();

  const makeLine = (socket: LinedSocket): Line => {
    const line: Line = {
      underWay: null,
      response: null,
      answer: null,
      waiting: [],
      closes: false,
      isGone: false,
      over: (closes) => endTurn(line, closes),
    };
    socket[lineKey] = line;
    lines.add(line);
    socket.on('close', () => {
      line.isGone = true;
      forget(line);
    });
    return line;
  };
  /** An operation that goes on for a client that is gone is still in flight. */
  const forget = (line: Line) => {
    if (line.isGone && line.underWay === null && line.waiting.length === 0) lines.delete(line);
  };
  const endLine = (line: Line) => {
    line.closes = true;
    line.waiting.length = 0;
  };
  const endTurn = (line: Line, closes: boolean) => {
    line.underWay = null;
    line.answer = line.response;
    if (closes) endLine(line);
    // Not at once: a long line of short requests would be as deep a stack.
    if (line.waiting.length > 0) queueMicrotask(() => beginNext(line));
    if (line.isGone) forget(line);
    if (checks.size > 0) for (const check of checks) check();
  };
  const beginNext = (line: Line) => {
    const next = line.waiting.shift();
    if (next === undefined) return;
    line.underWay = next.request;
    line.response = next.response;
    // Of a client that went away nothing more is read.
    if (next.request.socket.destroyed) endTurn(line, true);
    else carryOut(next.request, next.response, line.over);
  };
  const inFlight = () => [...lines].flatMap(requestsOf);
  const none = (counts: (request: IncomingMessage) => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (inFlight().some(counts)) return;
        checks.delete(check);
        resolve();
      };
      checks.add(check);
      check();
    });

  return {
    take(request, response) {
      const line = (request.socket as LinedSocket)[lineKey] ?? makeLine(request.socket);
      if (line.closes) return;
      if (line.underWay !== null || line.waiting.length > 0) {
        line.waiting.push({ request, response });
        if (line.waiting.length <= mostWaiting) return;
        endLine(line);
        request.socket.destroy();
        return;
      }
      line.underWay = request;
      line.response = response;
      carryOut(request, response, line.over);
    },
    count: () => inFlight().length,
    dropIncomplete() {
      for (const line of lines) {
        for (const request of requestsOf(line)) if (!request.complete) request.destroy();
        if (line.underWay?.complete === false) line.underWay = null;
        line.waiting = line.waiting.filter(({ request }) => request.complete);
      }
    },
    none: () => none(() => true),
    async last(socket) {
      const line = (socket as LinedSocket)[lineKey];
      if (line === undefined) return true;
      line.waiting = line.waiting.filter(({ request }) => request.complete);
      await none((request) => request.socket === socket && request.complete);
      const signal = AbortSignal.timeout(readWithinMs);
      // An answer that cannot be sent, or that nobody reads, needs no more waiting for: it would hold the connection.
      if (line.answer !== null) await finished(line.answer, { signal }).catch(() => {});
      return !line.closes;
    },
  };
}

function requestsOf({ underWay, waiting }: Line): IncomingMessage[] {
  const waitingRequests = waiting.map(({ request }) => request);
  return underWay === null ? waitingRequests : [underWay, ...waitingRequests];
}
