import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pauseUnless } from '../../fakes/pause.ts';
import { freePort } from '../../fakes/ports.ts';
import type { ClientView } from '../../fakes/wg-easy/conditions.ts';
import { type FaultScript, makeFaults, mutations } from '../../fakes/wg-easy/faults.ts';
import { type Operation, route } from '../../fakes/wg-easy/handler/routes.ts';
import { dialects } from '../../fakes/wg-easy/model/dialect.ts';
import { watchTraffic, withoutSecrets } from '../../fakes/wg-easy/traffic.ts';
import type { WgEasy, WgEasyOptions } from '../../fakes/wg-easy/wg-easy.ts';
import { NotApplicable } from '../kernel/check.ts';
import type { OperatorManager } from './operator-manager.ts';

/**
 * Puts the operator's tunnel manager in the place of the fake. The gateway reaches it through a port of the
 * environment, which forwards requests, counts them and injects faults. Existing clients are hidden and never touched.
 * Clients created through this port are removed with the environment. The list of clients is updated after each change,
 * before its response is sent.
 */
export async function forwardManager(foreign: OperatorManager, wishes: WgEasyOptions = {}): Promise<WgEasy> {
  if (Object.keys(wishes).length > 0) throw new NotApplicable('needs a fake: a tunnel manager of another kind');
  const before = new Set((await foreign.clients()).map(({ id }) => id));
  const faults = makeFaults();
  const traffic = watchTraffic(Date.now);
  const created = new Set<string>();
  let clients: ClientView[] = [];
  const look = async () => {
    const found = new Map((await foreign.clients()).map((one) => [one.id, one]));
    for (const id of before) found.delete(id);
    // Keeps the order of creation, because some versions list clients in another order.
    const known = clients.flatMap(({ id }) => found.get(id) ?? []);
    for (const { id } of known) found.delete(id);
    clients = [...known, ...found.values()];
  };

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await read(message);
    const operation = operationOf(request);
    const entry = traffic.begin({ ...request, headers: {}, body: request.body.toString() }, operation);
    response.once('close', () => traffic.end(entry));
    if (entry.name !== null) created.add(entry.name);
    const fault = faults.take(operation);
    const cleared = faults.cleared();
    entry.fault = fault?.kind ?? null;
    let outcome = fault === null ? null : instead(fault);
    if (outcome === null) {
      const passed = await forward(foreign.url, request);
      if (mutations.has(operation)) await look();
      outcome = fault === null ? passed : await afterwards(fault, passed, cleared);
    }
    traffic.end(entry);
    if (outcome === 'hang') return;
    if (outcome === 'drop') return void response.destroy();
    entry.status = outcome.status;
    entry.received = withoutSecrets(outcome.body.toString());
    response.writeHead(outcome.status, outcome.headers).end(outcome.body);
  };

  // A port that the kernel does not assign to others while this server is stopped.
  const port = await freePort();
  let server = await open(answer, port);
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    ...fakeOnly(),
    get dialect(): never {
      throw new NotApplicable('needs a fake: a tunnel manager of a known version');
    },
    label: 'a wg-easy of the operator',
    url: `http://127.0.0.1:${port}`,
    username: foreign.username,
    password: foreign.password,
    faults: {
      ...faults,
      script: (script) => {
        if (script.kind === 'lag') throw new NotApplicable('needs a fake: an interface that lags behind');
        if (script.kind === 'logged-out-after') throw new NotApplicable('needs a fake: sessions that are lost');
        if (script.kind === 'changed') throw new NotApplicable('needs a fake: answers of its own');
        return faults.script(script);
      },
    },
    clients: () => clients,
    counters: traffic.counters,
    log: traffic.log,
    resetTraffic: traffic.reset,
    stop,
    start: async () => {
      if (!server.listening) server = await open(answer, port);
    },
    close: async () => {
      await stop();
      if (created.size === 0) return;
      await look();
      const own = clients.filter(({ name }) => typeof name === 'string' && created.has(name));
      for (const { id } of own) await foreign.remove(id);
      created.clear();
    },
  };
}

type ForwardedRequest = { method: string; path: string; headers: Headers; body: Buffer };
type ForwardedResponse = { status: number; headers: [string, string][]; body: Buffer };
type Outcome = ForwardedResponse | 'drop' | 'hang';

function open(
  answer: (message: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
): Promise<Server> {
  const server = createServer((message, response) => {
    // The client or the manager is gone. Closing the connection reports that to the other side.
    answer(message, response).catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  return once(server, 'listening').then(() => server);
}

async function read(message: IncomingMessage): Promise<ForwardedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (!ofConnection.has(name)) headers.set(name, String(value));
  }
  return { method: message.method ?? '', path: message.url ?? '', headers, body: Buffer.concat(pieces) };
}

const ofConnection = new Set([
  ...['host', 'connection', 'keep-alive', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['accept-encoding', 'upgrade', 'expect'],
]);

async function forward(url: string, { method, path, headers, body }: ForwardedRequest): Promise<ForwardedResponse> {
  const response = await fetch(url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body.length > 0 ? { body } : {}),
  });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !ofConnection.has(name)),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** The operation of a request, in the first version of wg-easy that knows its path. */
function operationOf({ method, path }: ForwardedRequest): Operation {
  const found = dialects.map((dialect) => route(dialect, method, path.split('?', 1)[0] ?? '').operation);
  return found.find((operation) => operation !== 'miss' && operation !== 'unknown') ?? 'miss';
}

const made = (status: number, type: string, text: string): ForwardedResponse => ({
  status,
  headers: [['content-type', type]],
  body: Buffer.from(text),
});
const page = (status = 200) => made(status, 'text/html', '<!doctype html><title>Sign in</title>');
const failure = () => made(500, 'application/json', '{"statusCode":500,"message":"Server Error"}');

/** The outcome of a fault that replaces the request. `null` if the request is forwarded first. */
function instead({ kind, status }: FaultScript): Outcome | null {
  if (kind === 'fail-before') return failure();
  if (kind === 'drop-before') return 'drop';
  if (kind === 'hang-before') return 'hang';
  if (kind === 'html') return page(status);
  return null;
}

/** The outcome of a fault that changes the response of a forwarded request. */
async function afterwards(
  { kind, delayMs = 100, status }: FaultScript,
  answer: ForwardedResponse,
  cleared: AbortSignal,
): Promise<Outcome> {
  const nonsense = (body: Buffer): ForwardedResponse => ({ ...answer, status: 200, body });
  switch (kind) {
    case 'drop-after':
      return 'drop';
    case 'hang-after':
      return 'hang';
    case 'fail-after':
      return failure();
    case 'html-after':
      return page(status);
    case 'broken-json':
      return nonsense(answer.body.subarray(0, Math.ceil(answer.body.length / 2)));
    case 'wrong-shape':
      return nonsense(Buffer.from('{"ok":"yes"}'));
    case 'empty-list':
      return nonsense(Buffer.from('[]'));
    default:
      await pauseUnless(delayMs, cleared);
      return answer;
  }
}

/** Operations that are impossible on a real manager. */
function fakeOnly() {
  const refuse = (what: string) => (): never => {
    throw new NotApplicable(`needs a fake: ${what}`);
  };
  return {
    add: refuse('clients of somebody else'),
    remove: refuse('clients of somebody else'),
    fillPool: refuse('a full pool'),
    lock: refuse('a locked manager'),
    heal: refuse('a locked manager'),
    locked: refuse('a look into the manager'),
    collisions: refuse('a look into the manager'),
    live: refuse('a look at the interface'),
    loseSessions: refuse('sessions that are lost'),
    requireTotp: refuse('two-factor login'),
    setInterface: refuse('an interface that goes away'),
    shakeHands: refuse('a box that uses its tunnel'),
    restart: refuse('a manager that is started again'),
  };
}
