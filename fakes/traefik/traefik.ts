import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { forward, reply } from './forward.ts';
import { answerApi, decide, type RouterView, routerView, type StartedWith } from './handler.ts';
import type { Unusable } from './model/read-directory.ts';
import { type Provider, startProvider } from './provider.ts';

/**
 * A fake Traefik 3.7 with its file provider on one directory, in this process. It reads that directory like the real
 * one and serves the published hosts. LIMITS.md lists the differences.
 *
 *     const traefik = await startTraefik({ routesDir });
 *     // … something publishes a route …
 *     await traefik.settled();
 *     traefik.hosts();                              // ['photos.example.test']
 *     await traefik.ask('photos.example.test');     // { status: 200, headers, body }
 *     await traefik.close();
 *
 * `url` is the TLS entry point, but over plain HTTP: it does not serve routers without `tls`.
 */
export type FakeTraefik = {
  /** The URL of the published hosts; the `Host` header selects one. */
  url: string;
  /** The URL of the API: `/api/overview`, `/api/entrypoints/NAME`, `/api/http/routers[?status=disabled]`, `/api/http/routers/NAME@file`. */
  apiUrl: string;
  ask: (host: string, path?: string, headers?: Record<string, string>) => Promise<Asked>;
  /** The sorted host names of all served routers. */
  hosts: () => string[];
  routers: () => RouterView[];
  /** The number of directory events since the start, without those in subfolders. */
  readonly events: number;
  /** The number of reads: one at the start and one per event. */
  readonly reads: number;
  /** The file that blocks all changes, and the reason. */
  readonly blocked: Unusable | null;
  /** The log lines, oldest first. */
  readonly log: readonly string[];
  /** Resolves when all earlier changes of the directory were read, and are served or blocked. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

export type Asked = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

export type TraefikOptions = {
  routesDir: string;
  /** Maps a server address, because tunnel addresses do not exist on this machine. */
  addressMap?: (address: string) => string;
  /** The known entry points; `url` is the first. */
  entryPoints?: string[];
  /** The known certificate resolvers. */
  certResolvers?: string[];
  port?: number;
  apiPort?: number;
  host?: string;
  /** How long the entry point reads a request, its body included; 0 is unlimited. */
  readTimeoutMs?: number;
  /** The variables for templates. */
  environment?: Record<string, string | undefined>;
};

const version = '3.7.15';

export async function startTraefik(options: TraefikOptions): Promise<FakeTraefik> {
  const { routesDir, addressMap = (address) => address, host = '127.0.0.1' } = options;
  const { entryPoints = ['websecure'], certResolvers = [], environment = {}, readTimeoutMs = 60_000 } = options;
  const log: string[] = [];
  const started = { entryPoints, certResolvers, environment };
  const provider = startProvider(routesDir, started, (line) => log.push(line));
  const serveHosts = (incoming: IncomingMessage, response: ServerResponse) => {
    const decision = decide(provider.routers(), entryPoints[0] ?? '', askedOf(incoming));
    if ('answer' in decision) reply(response, decision.answer);
    else forward(incoming, response, { ...decision, addressMap, readTimeoutMs });
  };
  const servers: Server[] = [];
  try {
    servers.push(await listen(serveHosts, options.port ?? 0, host, readTimeoutMs));
    servers.push(await listen(apiOf(provider, { entryPoints, readTimeoutMs }), options.apiPort ?? 0, host));
  } catch (error) {
    provider.close();
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  const [url = '', apiUrl = ''] = servers.map(urlOf);
  return {
    url,
    apiUrl,
    ask: (name, path, headers) => ask(url, name, path, headers),
    hosts: () => hostsOf(provider),
    routers: () => provider.routers().map(routerView),
    get events() {
      return provider.events;
    },
    get reads() {
      return provider.reads;
    },
    get blocked() {
      return provider.blocked;
    },
    log,
    settled: provider.settled,
    async close() {
      provider.close();
      await Promise.all(servers.map(closeServer));
    },
  };
}

function hostsOf(provider: Provider): string[] {
  const served = provider.routers().filter((router) => router.status !== 'disabled');
  return [...new Set(served.flatMap((router) => router.rule?.hosts ?? []))].sort();
}

function apiOf(provider: Provider, started: StartedWith) {
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://api');
    const body = answerApi(pathname, searchParams, { ...started, routers: provider.routers(), version });
    const found = body !== null && incoming.method === 'GET';
    reply(response, {
      status: found ? 200 : 404,
      contentType: found ? 'application/json' : 'text/plain; charset=utf-8',
      body: found ? JSON.stringify(body) : '404 page not found\n',
    });
  };
}

function askedOf(incoming: IncomingMessage) {
  const host = (incoming.headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  const [path = '/'] = (incoming.url ?? '/').split('?');
  const visitor = {
    address: incoming.socket.remoteAddress ?? '',
    authorization: incoming.headers.authorization ?? '',
  };
  return { host, path, method: incoming.method ?? 'GET', ...visitor };
}

/** `fetch` does not allow setting `Host`. */
async function ask(url: string, host: string, path = '/', headers: Record<string, string> = {}): Promise<Asked> {
  const outgoing = request(new URL(path, url), { headers: { ...headers, host }, agent: false });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) body += text;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

async function listen(
  answer: (incoming: IncomingMessage, response: ServerResponse) => void,
  port: number,
  host: string,
  headersTimeout = 0,
): Promise<Server> {
  const checks = { connectionsCheckingInterval: Math.min(headersTimeout || 30_000, 30_000) / 2 };
  const server = createServer({ headersTimeout, requestTimeout: 0, ...checks }, answer).listen(port, host);
  // The real one says nothing either.
  server.on('clientError', (_error, socket) => socket.destroy());
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
