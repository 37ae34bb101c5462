import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../pause.ts';
import { freePort } from '../ports.ts';
import { startTraefik } from './traefik.ts';

/**
 * The Traefik that contract tests run on: the fake, or the program in `BOXGATE_TRAEFIK`. Both read their own directory
 * and have one TLS entry point, `websecure`.
 */
export type Subject = {
  directory: string;
  /** Writes a file by rename, as one event. */
  put: (name: string, content: string | Buffer) => void;
  remove: (name: string) => void;
  /** Resolves when its API answers. It reads a request for the given number of seconds; 0 is unlimited. */
  start: (readTimeout?: number) => Promise<void>;
  ask: (host: string, path?: string, headers?: Record<string, string>) => Promise<Seen>;
  /** The status for an upload that takes two seconds. */
  upload: (host: string) => Promise<number | undefined>;
  /** The read timeout in the API. */
  readTimeout: () => Promise<string | undefined>;
  /** The routers of the file provider in the API. */
  routers: (query?: string) => Promise<SeenRouter[]>;
  log: () => string;
  close: () => Promise<void>;
};

/** `asks` is the `WWW-Authenticate` header; `gotLogin` the header in which the contract's app says whether it got one. */
export type Seen = { status: number; body: string; asks: string | undefined; gotLogin: string | undefined };

export type SeenRouter = { name: string; status: string; error?: string[]; tls?: { certResolver?: string } };

type Running = Pick<Subject, 'ask' | 'upload'> & { apiUrl: string; log: () => string; close: () => Promise<void> };

/** By default on a new directory. */
export function openSubject(directory?: string): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'traefik-contract-'));
  if (directory !== undefined) return subjectOn(directory, folder);
  mkdirSync(join(folder, 'routes'));
  return subjectOn(join(folder, 'routes'), folder);
}

function subjectOn(directory: string, folder: string): Subject {
  let running: Running | undefined;
  const started = () => {
    if (running === undefined) throw new Error('not started');
    return running;
  };
  return {
    directory,
    put(name, content) {
      writeFileSync(join(folder, 'beside'), content);
      renameSync(join(folder, 'beside'), join(directory, name));
    },
    remove: (name) => rmSync(join(directory, name), { recursive: true }),
    async start(readTimeout = 60) {
      const program = process.env.BOXGATE_TRAEFIK;
      running = program ? await startReal(program, directory, readTimeout) : await startFake(directory, readTimeout);
    },
    ask: (host, path, headers) => started().ask(host, path, headers),
    upload: (host) => started().upload(host),
    async readTimeout() {
      const answer = await fetch(`${started().apiUrl}/api/entrypoints/websecure`);
      const { transport } = (await answer.json()) as { transport: { respondingTimeouts: { readTimeout?: string } } };
      return transport.respondingTimeouts.readTimeout;
    },
    async routers(query = '') {
      const answer = await fetch(`${started().apiUrl}/api/http/routers${query}`);
      const routers = (await answer.json()) as (SeenRouter & { provider: string })[];
      return routers.filter((each) => each.provider === 'file');
    },
    log: () => started().log(),
    async close() {
      await running?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startFake(routesDir: string, readTimeout: number): Promise<Running> {
  const readTimeoutMs = readTimeout * 1000;
  const traefik = await startTraefik({ routesDir, environment: { PLACE: 'env' }, readTimeoutMs });
  return {
    apiUrl: traefik.apiUrl,
    async ask(host, path, more) {
      const { status, body, headers } = await traefik.ask(host, path, more);
      return seen(status, body, headers);
    },
    upload: (host) => slowUpload(request(traefik.url, { method: 'POST', headers: { host }, agent: false })),
    log: () => traefik.log.join('\n'),
    close: traefik.close,
  };
}

async function startReal(program: string, directory: string, readTimeout: number): Promise<Running> {
  const [port, apiPort] = [await freePort(), await freePort()];
  const child = spawn(
    program,
    [
      `--entrypoints.websecure.address=127.0.0.1:${port}`,
      `--entrypoints.websecure.transport.respondingTimeouts.readTimeout=${readTimeout}`,
      `--entrypoints.traefik.address=127.0.0.1:${apiPort}`,
      '--api.insecure=true',
      // Needed for the message about an already configured router.
      '--log.level=WARN',
      `--providers.file.directory=${directory}`,
      '--providers.file.watch=true',
      '--providers.providersthrottleduration=100ms',
      '--global.checknewversion=false',
      '--global.sendanonymoususage=false',
    ],
    { env: { PLACE: 'env' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  await until('its API answers', () =>
    fetch(`${apiUrl}/api/overview`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  return {
    apiUrl,
    ask: (host, path, headers) => askOverTls(port, host, path, headers),
    upload: (host) => slowUpload(overTls(port, host, { path: '/', method: 'POST' })),
    log: () => log,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function askOverTls(port: number, host: string, path = '/', headers: Record<string, string> = {}) {
  return bodyOf(overTls(port, host, { path, headers }));
}

type Options = { path: string; method?: string; headers?: Record<string, string> };

function overTls(port: number, host: string, { headers, ...options }: Options) {
  const secure = { servername: host, rejectUnauthorized: false, agent: false } as const;
  return httpsRequest({ host: '127.0.0.1', port, headers: { ...headers, host }, ...secure, ...options });
}

/** Sends the second half of a body two seconds after the first. The pause is what the test is about. */
async function slowUpload(outgoing: ClientRequest): Promise<number | undefined> {
  outgoing.on('error', () => undefined); // The connection may end after the answer.
  outgoing.write('half');
  const end = setTimeout(() => outgoing.end('half'), 2000);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  clearTimeout(end);
  answer.resume();
  outgoing.destroy();
  return answer.statusCode;
}

async function bodyOf(outgoing: ClientRequest) {
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) body += text;
  return seen(answer.statusCode ?? 0, body, answer.headers);
}

function seen(status: number, body: string, headers: Record<string, string | string[] | undefined>): Seen {
  const header = (name: string) => headers[name]?.toString();
  return { status, body, asks: header('www-authenticate'), gotLogin: header('x-got-login') };
}
