/**
 * `faulty-gateway.ts FAULT COMMAND…`: a gateway with one named fault. It starts COMMAND, a right gateway, on a port of
 * its own and stands before it; what it changes is the fault's row in `gateway-faults-*.ts`. `none` changes nothing.
 */
import { spawn } from 'node:child_process';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Call, type Fault, isPublish, type Memory } from './fault.ts';
import { gatewayFaults } from './gateway-faults.ts';

const [name = '', program = '', ...args] = process.argv.slice(2);
// Any other name stands for no fault: what a fault is told from.
const fault: Fault = gatewayFaults.find((one) => one.name === name) ?? { name, kills: '' };
const { GATEWAY_HOST: host = '127.0.0.1', GATEWAY_PORT: port = '0', ...rest } = process.env;
const given: Record<string, string | undefined> = rest;
// A port that is none is the right gateway's to refuse.
const innerPort = Number(port) < 65536 ? '0' : port;
const settings = {
  ...given,
  ...fault.settings?.(given),
  GATEWAY_HOST: '127.0.0.1',
  GATEWAY_PORT: innerPort,
};
const gateway = spawn(program, args, { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
let inner = 0;

const memory: Memory = {
  registrationToken: given.GATEWAY_BOX_TOKEN ?? '',
  routesDir: given.GATEWAY_ROUTES_DIR ?? '',
  stateDir: given.GATEWAY_STATE_DIR ?? '',
  boxes: new Map(),
  renewed: new Map(),
  removed: new Set(),
  routes: [],
  repeat: forward,
};

async function read(incoming: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([key, value]) => [key, String(value)]),
  );
  const path = incoming.url ?? '/';
  const original = { path, text: body.toString() };
  return { method: incoming.method ?? 'GET', path, headers, json: objectOf(original.text), body, original };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null;
  } catch {
    // The gateway makes of it what it makes of it.
    return null;
  }
}

function forward(call: Call): Promise<Answer> {
  const body = call.json === null ? call.body : Buffer.from(JSON.stringify(call.json));
  const { 'transfer-encoding': _chunked, expect: _expect, ...headers } = call.headers;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      port: inner,
      method: call.method,
      path: call.path,
      headers: { ...headers, 'content-length': String(body.length), connection: 'close' },
      agent: false,
    });
    sent.once('error', reject);
    sent.once('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      const { status, headers: kept } = { status: incoming.statusCode ?? 0, headers: incoming.headers };
      const flat = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, String(value)]));
      resolve({ status, headers: flat, json: text === '' ? undefined : JSON.parse(text) });
    });
    sent.end(body);
  });
}

/** What a later fault may want to know. */
function remember(call: Call, { status, json }: Answer) {
  const token = /^Bearer +(\S.*)$/i.exec(call.headers.authorization ?? '')?.[1] ?? '';
  const result = (json ?? {}) as Record<string, string>;
  if (status === 201 && call.path === '/v1/boxes/register')
    memory.boxes.set(result.box_token ?? '', result.box_id ?? '');
  if (status === 201 && call.path === '/v1/routes') memory.routes.push({ token, route: result });
  if (status === 200 && call.path.endsWith('/rotate-token')) {
    memory.renewed.set(token, result.box_token ?? '');
    memory.boxes.set(result.box_token ?? '', memory.boxes.get(token) ?? '');
  }
}

function write(response: ServerResponse, call: Call, { status, headers, json }: Answer) {
  const body = json === undefined || call.method === 'HEAD' ? '' : JSON.stringify(json);
  const { 'transfer-encoding': chunked, connection: _own, 'content-length': _old, ...own } = headers;
  const length = chunked === undefined ? { 'content-length': Buffer.byteLength(body) } : {};
  const plain = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', server: 'boxgate/0.0.1' };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(Object.keys(own).length === 0 ? plain : own),
    ...length,
  });
  if (chunked !== undefined) response.write('');
  response.end(body);
}

/** The latest exchange of each connection: pipelined requests are carried out one after the other. */
const latest = new WeakMap<Socket, Promise<void>>();

const server = createServer((incoming, response) => {
  const before = fault.process === 'side-by-side' ? undefined : latest.get(incoming.socket);
  latest.set(incoming.socket, exchange(incoming, response, before));
});

async function exchange(incoming: IncomingMessage, response: ServerResponse, before?: Promise<void>) {
  try {
    const call = await read(incoming);
    await before;
    if (fault.process === 'side-by-side' && isPublish(call)) await pause(50);
    if (fault.process === 'logs') process.stderr.write(`${call.method} ${call.path}\n`);
    if (fault.process === 'talks') process.stdout.write(`${call.method} ${call.path}\n`);
    const early = fault.ask?.(call, memory) ?? null;
    const answer = early ?? (await forward(call));
    if (early === null) remember(call, answer);
    fault.answer?.(answer, call, memory);
    write(response, call, answer);
  } catch {
    // The gateway behind is gone, and so is its answer.
    response.destroy();
  }
}

gateway.stdout.on('data', (chunk: Buffer) => {
  inner = Number(/^listening on http:\/\/\S*:(\d+)$/m.exec(chunk.toString())?.[1] ?? inner);
  if (inner === 0 || server.listening) return;
  server.listen(Number(port), fault.process === 'ignores-host' ? '0.0.0.0' : host, () => {
    const address = server.address() as { port: number };
    process.stdout.write(`listening on http://${host}:${address.port}\n`);
  });
});
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  gateway.kill('SIGTERM');
});
gateway.once('exit', (status) => {
  server.close();
  server.closeIdleConnections();
  process.exitCode ??= fault.process === 'ends-with-1' && status === 0 ? 1 : (status ?? 1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (fault.process !== 'closes-late') server.close();
    server.closeIdleConnections();
    // The gateway is of the same process group and hears of it by itself; a second signal would cut its end short.
    if (fault.process === 'kills-on-signal') gateway.kill('SIGKILL');
  });
}
