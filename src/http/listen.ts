import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, makeConnections } from './connections.ts';
import type { Service } from './exchange.ts';
import { type ParseError, replyToParseError } from './parse-error.ts';

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
