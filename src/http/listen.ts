import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, makeConnections } from './connections.ts';
import type { Service } from './exchange.ts';
import { pathOf } from './match.ts';
import type { Reply } from './reply.ts';

export type ListenOptions = {
  host: string;
  port: number;
  /** The setting of the port, for the message if the port is taken. */
  setting?: string;
  service: Service;
  /** How long a shutdown waits for operations under way. */
  drainMs?: number;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** How long a client may take to read a response. */
  responseTimeoutMs?: number;
};

export type Listening = {
  host: string;
  port: number;
  /** `http://HOST:PORT` with the actual port. */
  url: string;
  /**
   * Stops accepting, finishes the operations under way, and settles when every connection is closed. `false` if an
   * operation did not end in time and continues.
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
  const { host, service } = options;
  const connections = makeConnections(service, options.responseTimeoutMs ?? 60_000);
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      connectionsCheckingInterval: 1000,
      // Longer than proxies keep idle connections. Otherwise a proxy that sends a POST while we close the connection
      // would answer 502.
      keepAliveTimeout: 150_000,
      // The exchange refuses a request without a host itself, with an error body.
      requireHostHeader: false,
      // Saves a fifth of a request without a body.
      optimizeEmptyRequests: true,
    },
    connections.take,
  );
  // A client that closes its half of the connection still gets its responses.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkContinue', connections.take);
  server.on('checkExpectation', connections.take);
  server.on('connect', ({ url = '' }, socket) => connections.endWith(socket, service.unknownMethod(url)));
  server.on('clientError', (error: ParseError, socket) =>
    connections.endWith(socket, replyToParseError(error, service)),
  );
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Node removes its own listener from the socket of a CONNECT request.
    socket.on('error', () => {});
  });

  await bind(server, options);
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    host,
    port: address.port,
    url: `http://${shownHost}:${address.port}`,
    close: () => close(server, sockets, connections, options.drainMs ?? 80_000),
  };
}

function bind(server: Server, { host, port, setting }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice = setting === undefined ? '' : `; set ${setting}`;
      const reason = error.code === 'EADDRINUSE' ? `the port is taken${advice}` : error.message;
      reject(new ListenFailed(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    });
    server.listen({ host, port }, resolve);
  });
}

async function close(
  server: Server,
  sockets: Iterable<Duplex>,
  connections: Connections,
  drainMs: number,
): Promise<boolean> {
  const closed = new Promise((resolve) => server.close(resolve));
  const isDone = await connections.drain(drainMs);
  // One turn of the event loop, so that the last responses are sent before their connections close.
  await new Promise(setImmediate);
  server.closeIdleConnections();
  await Promise.race([closed, pause(500, undefined, { ref: false })]);
  for (const socket of sockets) socket.destroy();
  await closed;
  return isDone;
}

/** An error of a connection, as the event `clientError` reports it. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/**
 * The reply to bytes that Node could not parse; `null` if the client is gone or too slow.
 * choice/box/14, choice/box/15, choice/gateway/2
 */
function replyToParseError(error: ParseError, service: Service): Reply | null {
  const { code = '', message } = error;
  if (['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT', 'HPE_CLOSED_CONNECTION'].includes(code)) return null;
  if (code === 'HPE_HEADER_OVERFLOW') return service.malformed('its headers are too large');
  const [, target] = /^[A-Z]+ (\S+) HTTP\/1\.[01]$/.exec(faultyLine(error)) ?? [];
  if (code === 'HPE_INVALID_METHOD' && target !== undefined) return service.unknownMethod(pathOf(target));
  return service.malformed(message.replace(/^Parse Error: /, ''));
}

/** The line at which the parser stopped. */
function faultyLine({ rawPacket, bytesParsed = 0 }: ParseError): string {
  const packet = rawPacket?.toString('latin1') ?? '';
  const from = bytesParsed === 0 ? 0 : packet.lastIndexOf('\n', bytesParsed - 1) + 1;
  return packet.slice(from).split('\r\n', 1)[0] ?? '';
}
