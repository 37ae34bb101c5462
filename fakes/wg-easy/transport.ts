import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../ports.ts';
import { type Exchange, exchange, type Outcome } from './exchange.ts';
import type { Request } from './handler/request.ts';
import type { LogEntry } from './traffic.ts';

/** A server on a loopback port that can stop and start again. */
export type Listening = { url: string; stop: () => Promise<void>; start: () => Promise<void> };

export async function listen(parts: Exchange, wantedPort: number): Promise<Listening> {
  // Not an ephemeral port: another process could get it while the server is stopped.
  let server = await open(parts, wantedPort === 0 ? await freePort() : wantedPort);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => close(server),
    start: async () => {
      if (!server.listening) server = await open(parts, port);
    },
  };
}

function open(parts: Exchange, port: number): Promise<Server> {
  const server = createServer((message, response) => {
    serve(parts, message, response).catch((error) => {
      console.error('fake wg-easy:', error);
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(parts: Exchange, message: IncomingMessage, response: ServerResponse) {
  const request = await read(message);
  if (request === null) return;
  const { traffic } = parts;
  const begun = (one: LogEntry) => response.once('close', () => traffic.leave(one));
  const { entry, outcome } = await exchange(parts, request, begun);
  // A hanging request is in flight until its connection ends, others until the response starts.
  if (outcome === 'hang') response.once('close', () => traffic.end(entry));
  else {
    traffic.end(entry);
    traffic.leave(entry);
  }
  write(response, outcome);
}

/** `null` if the connection ended first. */
async function read(message: IncomingMessage): Promise<Request | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of message) pieces.push(piece);
  } catch {
    // The client has gone.
    return null;
  }
  const { method = '', url = '', headers } = message;
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { method, path: url, headers: Object.fromEntries(single), body: Buffer.concat(pieces).toString() };
}

function write(response: ServerResponse, outcome: Outcome) {
  if (outcome === 'hang') return;
  if (outcome === 'drop') {
    response.destroy();
    return;
  }
  const { status, statusText, body, chunked } = outcome;
  const headers = { ...outcome.headers };
  if (!chunked && status !== 204) headers['content-length'] = String(Buffer.byteLength(body));
  response.writeHead(status, statusText, headers);
  response.end(body);
}
