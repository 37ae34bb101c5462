import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { exchange, lingerMs, type Service } from './exchange.ts';
import { type InFlight, makeInFlight } from './in-flight.ts';
import { rawReply } from './reply.ts';

export type ListenOptions = {
  host: string;
  port: number;
  /** The setting that the port comes from, for the message where it is taken. */
  setting?: string;
  service: Service;
  /** How long a shutdown waits for what is in flight. */
  drainMs?: number;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** How long a client may take to read a response. */
  responseTimeoutMs?: number;
};

export type Listening = {
  host: string;
  port: number;
  /** `http://HOST:PORT` with the port that was really taken. */
  url: string;
  /**
   * Stops accepting, finishes what is in flight, and settles when every connection is closed. False when something
   * in flight did not end in time and still goes on.
   */
  close(): Promise<boolean>;
};

/** The server cannot listen on its address. The message is one line for the operator. */
export class ListenFailed extends Error {}

/**
 * Binds the address and answers requests from then on.
 * choice/box/15
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, port, service } = options;
  const { responseTimeoutMs = 60_000 } = options;
  const connection = { close: false };
  const inFlight = makeInFlight(
    (request, response) => exchange(request, response, service, connection),
    responseTimeoutMs,
  );
  const answerLast = makeAnswerLast(inFlight, responseTimeoutMs);
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      connectionsCheckingInterval: 1000,
      // Longer than proxies keep an idle connection: a proxy whose POST meets our close would answer 502.
      keepAliveTimeout: 150_000,
      // A request without a host is refused by the exchange, with an error body like every other.
      requireHostHeader: false,
      // A request without a body has no stream to wait for, and nobody does.
      optimizeEmptyRequests: true,
    },
    inFlight.take,
  );
  // A client that has sent all it has to say is still there for the answer, also for one that takes its time.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkContinue', inFlight.take);
  server.on('checkExpectation', inFlight.take);
  const letGo = new Set<Duplex>();
  server.on('connect', (_request, socket: Duplex) => {
    // Node has let go of this socket: nobody else hears of its faults, and nobody else closes it.
    letGo.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => letGo.delete(socket));
    answerLast(socket, () => rawReply(service.unknownMethod(), service.server));
  });
  server.on('clientError', (error: ParseError, socket) => {
    answerLast(socket, () => (isOver(error) ? null : replyToUnreadable(error, service)));
  });

  await bind(server, host, port, options.setting);
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    host,
    port: address.port,
    url: `http://${shownHost}:${address.port}`,
    close: async () => {
      connection.close = true;
      return drain(server, letGo, inFlight, options.drainMs ?? 80_000);
    },
  };
}

function bind(server: Server, host: string, port: number, setting: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice = setting === undefined ? '' : `; set ${setting}`;
      const reason = error.code === 'EADDRINUSE' ? `the port is taken${advice}` : error.message;
      reject(new ListenFailed(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    });
    server.listen({ host, port }, resolve);
  });
}

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/**
 * Sends a final error response after all earlier responses, then closes the connection. If nobody can receive it, just
 * closes. Node reports each packet after a malformed one as malformed too: only the first counts.
 * choice/box/14, choice/gateway/2
 */
function makeAnswerLast(inFlight: InFlight, responseTimeoutMs: number) {
  const answered = new WeakSet<Duplex>();
  return async (socket: Duplex, word: () => string | null): Promise<void> => {
    if (answered.has(socket)) return;
    answered.add(socket);
    const isHeard = (await inFlight.last(socket)) && socket.writable;
    const text = isHeard ? word() : null;
    if (text !== null) await sendAndLinger(socket, text, responseTimeoutMs);
    socket.destroy();
  };
}

/** A connection that is closed over unread bytes is reset, and the reset can overtake the response. */
async function sendAndLinger(socket: Duplex, text: string, responseTimeoutMs: number): Promise<void> {
  try {
    await finished(socket.end(text), { readable: false, signal: AbortSignal.timeout(responseTimeoutMs) });
    await finished(socket.resume(), { signal: AbortSignal.timeout(lingerMs) });
  } catch {
    // The client is gone, or takes too long.
  }
}

/** Clients that are too slow or gone are cut off. choice/box/15 */
function isOver({ code = '' }: ParseError): boolean {
  return ['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT', 'HPE_CLOSED_CONNECTION'].includes(code);
}

function replyToUnreadable(error: ParseError, service: Service): string {
  const isUnknownMethod = error.code === 'HPE_INVALID_METHOD' && isRequestLine(faultyLine(error));
  return isUnknownMethod
    ? rawReply(service.unknownMethod(), service.server)
    : rawReply(service.malformed(malformation(error)), service.server);
}

/** The line of the packet at which the parser gave up. */
function faultyLine({ rawPacket, bytesParsed = 0 }: ParseError): string {
  const packet = rawPacket?.toString('latin1') ?? '';
  const from = bytesParsed === 0 ? 0 : packet.lastIndexOf('\n', bytesParsed - 1) + 1;
  return packet.slice(from).split('\r\n', 1)[0] ?? '';
}

function isRequestLine(line: string): boolean {
  return /^[A-Z]+ \S+ HTTP\/1\.[01]$/.test(line);
}

function malformation(error: ParseError): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'its headers are too large';
  return error.message.replace(/^Parse Error: /, '');
}

/** Waits for every operation, also for those whose client is gone; says so when there are any. choice/box/130 */
async function drain(
  server: Server,
  letGo: Iterable<Duplex>,
  inFlight: InFlight,
  limitMs: number,
): Promise<boolean> {
  const closed = new Promise((resolve) => server.close(resolve));
  inFlight.dropIncomplete();
  const count = inFlight.count();
  if (count > 0) {
    process.stderr.write(`stopping: waiting up to ${limitMs / 1000} s for ${count} request(s) in flight\n`);
    await Promise.race([inFlight.none(), pause(limitMs)]);
    if (inFlight.count() > 0)
      process.stderr.write(`stopping: ${inFlight.count()} request(s) did not end in time\n`);
  }
  // One turn of the loop, so that the last answers are on their way before their connections close.
  await new Promise(setImmediate);
  server.closeIdleConnections();
  await Promise.race([closed, pause(500)]);
  server.closeAllConnections();
  for (const socket of letGo) socket.destroy();
  await closed;
  return inFlight.count() === 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
