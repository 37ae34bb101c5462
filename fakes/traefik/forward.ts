import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type Answer, badGateway, gatewayTimeout } from './handler.ts';
import type { Service } from './model/routers.ts';

/** Hop-by-hop headers, which are not forwarded. */
const ofOneConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export type Forwarding = {
  service: Service;
  server: string;
  addressMap: (address: string) => string;
  readTimeoutMs: number;
  /** Whether the server gets no `Authorization` header. */
  hidesLogin?: boolean;
};

/** Forwards a request to a server of the service, and its response back. */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { service, server, addressMap, readTimeoutMs, hidesLogin = false }: Forwarding,
): void {
  const target = URL.canParse(server) ? new URL(server) : null;
  if (target === null || target.protocol !== 'http:') {
    // An unusable address, for example a port above 65535.
    reply(response, badGateway);
    return;
  }
  const dropped = hidesLogin ? [...ofOneConnection, 'authorization'] : ofOneConnection;
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !dropped.includes(name)));
  const outgoing = request({
    host: addressMap(target.hostname),
    port: target.port === '' ? 80 : target.port,
    method: incoming.method,
    path: incoming.url,
    headers: {
      ...headers,
      host: service.passHostHeader ? incoming.headers.host : target.host,
      'x-forwarded-for': incoming.socket.remoteAddress,
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-proto': 'http',
    },
  });
  let isLate = false;
  const limit = endAfter(() => {
    isLate = true;
    outgoing.destroy();
  });
  limit(service.dialMs);
  outgoing.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => limit(0));
    else limit(0); // A reused connection.
  });
  const limitHeaders = () => limit(service.headerMs);
  outgoing.on('finish', limitHeaders);
  const limitUpload = endAfter(() => {
    isLate = true;
    outgoing.destroy();
    response.once('finish', () => incoming.destroy());
  });
  limitUpload(readTimeoutMs);
  incoming.on('close', () => limitUpload(0)).on('end', () => limitUpload(0));
  outgoing.on('close', () => limit(0));
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy();
    else reply(response, isLate ? gatewayTimeout : badGateway);
  });
  outgoing.on('response', (answer) => {
    outgoing.off('finish', limitHeaders); // The response may start before the upload ends.
    limit(0);
    // The client has gone.
    if (response.destroyed) {
      outgoing.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    // An abort on one side ends the other.
    pipeline(answer, response, () => {});
  });
  pipeline(incoming, outgoing, () => {});
}

/** Calls `end` after `ms` unless another limit is set first; 0 removes the limit. */
function endAfter(end: () => void): (ms: number) => void {
  let timer: NodeJS.Timeout | undefined;
  return (ms) => {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(end, ms);
  };
}

export function reply(response: ServerResponse, { status, contentType, body, headers }: Answer): void {
  response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
