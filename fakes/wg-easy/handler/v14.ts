import { STATUS_CODES } from 'node:http';
import { addClient, changeClient, findClient, removeClient, syncInterface } from '../model/clients.ts';
import { cookieName, openSession, sessionOf } from '../model/sessions.ts';
import type { Client, Session, State } from '../model/state.ts';
import { configurationText, downloadName } from './configuration.ts';
import { type Answer, BrokenBody, pathOf, type Request, readBody } from './request.ts';
import type { Routed } from './routes.ts';
import { listElement14 } from './views.ts';

/** A request of version 14 with its session. A request without a known cookie gets a new session. */
type Call = {
  state: State;
  request: Request;
  routed: Routed;
  session: Session;
  cookie: string | null;
  loggedOut: boolean;
};

/**
 * Version 14. Every error is the same 500, even for a missing login: only `GET /api/session` shows whether a client is
 * logged in. Every response to a request without a known cookie sets one.
 */
export async function handle14(state: State, request: Request, routed: Routed): Promise<Answer> {
  const known = sessionOf(state, request.headers.cookie);
  const session = known?.session ?? { authenticated: false, pending: false };
  const call: Call = { state, request, routed, session, cookie: known?.value ?? null, loggedOut: false };
  const answer = await answer14(call);
  if (known !== null || call.loggedOut) return answer;
  const cookie = `${cookieName(state)}=${openSession(state, session)}; Path=/; HttpOnly`;
  return { ...answer, headers: { ...answer.headers, 'set-cookie': [cookie] } };
}

async function answer14(call: Call): Promise<Answer> {
  try {
    return await serve(call);
  } catch (error) {
    if (error instanceof BrokenBody) return failure14(400, STATUS_CODES[400]);
    throw error;
  }
}

function serve(call: Call): Answer | Promise<Answer> {
  const { routed } = call;
  const open = openOperations[routed.operation];
  if (open !== undefined) return open(call);
  if (!isLoggedIn(call)) return failure14(500);
  const operation = operations[routed.operation];
  if (operation !== undefined) return operation(call);
  if (call.request.method !== 'GET') return failure14(405, STATUS_CODES[405]);
  return failure14(404, `Cannot find static asset ${pathOf(call.request)}`);
}

type Serve = (call: Call) => Answer | Promise<Answer>;

/** Operations without login. */
const openOperations: Partial<Record<Routed['operation'], Serve>> = {
  session: ({ state, session }) =>
    json({
      requiresPassword: state.password !== null,
      authenticated: state.password === null || session.authenticated,
    }),
  release: () => json(14),
  language: () => json('en'),
  login,
};

const operations: Partial<Record<Routed['operation'], Serve>> = {
  logout: (call) => {
    if (call.cookie !== null) call.state.sessions.delete(call.cookie);
    call.loggedOut = true;
    return { ...done(), chunked: false };
  },
  list: ({ state }) => {
    if (state.interfaceGone) return failure14(500);
    return json(state.clients.map((client) => listElement14(state, client)));
  },
  create: (call) => {
    const { name } = memberOf(call, 'name');
    return mutate(call, () => Boolean(name) && addClient(call.state, name) !== null && syncInterface(call.state));
  },
  delete: (call) => {
    const { state, routed } = call;
    return mutate(call, () => !removeClient(state, routed.id) || syncInterface(state));
  },
  enable: (call) => change(call, () => ({ enabled: true })),
  disable: (call) => change(call, () => ({ enabled: false })),
  rename: (call) => change(call, () => memberOf(call, 'name')),
  configuration: ({ state, routed }) => {
    const client = findClient(state, routed.id);
    if (client === null) return failure14(404);
    if (typeof client.name !== 'string') return failure14(500);
    const headers = {
      'content-disposition': `attachment; filename="${downloadName(client)}"`,
      'content-type': 'text/plain',
    };
    return { ...json(null), headers, body: configurationText(state, client) };
  },
};

async function login({ state, request, session, cookie }: Call): Promise<Answer> {
  const body = readBody(request);
  if (body === undefined || body === null) return failure14(500);
  const { password } = Object(body);
  return state.database.transact('login', () => {
    if (state.password === null || password !== state.password) return failure14(401);
    session.authenticated = true;
    return { ...done(), chunked: cookie !== null };
  });
}

/** By cookie, or by the plain password in `Authorization`. Without a password everybody is logged in. */
function isLoggedIn({ state, request, session }: Call): boolean {
  return state.password === null || session.authenticated || request.headers.authorization === state.password;
}

/** Runs a mutation. It can fail after it was stored. */
function mutate({ state }: Call, run: () => boolean): Promise<Answer> {
  return state.database.transact('mutation', () => (run() ? done() : failure14(500)));
}

function change(call: Call, changed: () => Partial<Client>): Answer | Promise<Answer> {
  const { state, routed } = call;
  if (['__proto__', 'constructor', 'prototype'].includes(routed.id)) return failure14(403);
  const found = findClient(state, routed.id);
  if (found === null) return failure14(404);
  return mutate(call, () => {
    changeClient(state, found, changed());
    return syncInterface(state);
  });
}

/** A member of the body; `undefined` if the body has none. */
function memberOf(call: Call, name: 'name'): { name: unknown } {
  return { name: Object(readBody(call.request) ?? {})[name] };
}

function done(): Answer {
  return json({ success: true });
}

function json(value: unknown): Answer {
  return {
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
    chunked: true,
  };
}

/** An error of version 14; only router errors have a message. */
export function failure14(status: number, statusMessage?: string): Answer {
  const message = statusMessage === undefined ? {} : { statusMessage };
  return {
    ...json(null),
    status,
    statusText: statusMessage ?? STATUS_CODES[status] ?? '',
    body: JSON.stringify({ statusCode: status, ...message, stack: [] }, null, 2),
  };
}
