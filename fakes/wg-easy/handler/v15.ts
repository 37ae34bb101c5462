import { addClient, changeClient, findClient, removeClient, syncInterface } from '../model/clients.ts';
import { Busy } from '../model/database.ts';
import type { Client, ClientSettings, State } from '../model/state.ts';
import { configurationText, downloadName } from './configuration.ts';
import { type Answer, BrokenBody, queryOf, type Request, readBody } from './request.ts';
import type { Operation, Routed } from './routes.ts';
import { type Call, done, Failure, failure15, json, pageNotFound, serverError, valid } from './v15-answers.ts';
import { authorize, login, logout, session, setTotp, verifyTotp } from './v15-login.ts';
import { type Body, createComplaint, updateComplaint } from './validate.ts';
import { clientView, listElement15 } from './views.ts';

const release = 'v15.4.0';

/** Version 15 has specific errors; only internal errors are a 500. */
export async function handle15(state: State, request: Request, routed: Routed): Promise<Answer> {
  const call: Call = { state, request, routed, cookies: [] };
  const answer = await answer15(call);
  if (call.cookies.length === 0) return answer;
  return { ...answer, headers: { 'set-cookie': call.cookies, ...answer.headers } };
}

async function answer15(call: Call): Promise<Answer> {
  try {
    return await serve(call);
  } catch (error) {
    return failure15(call.request, failureOf(error));
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof BrokenBody) return new Failure(400, 'Bad Request', { message: 'Invalid JSON body' });
  if (error instanceof Busy) return serverError();
  throw error;
}

function serve(call: Call): Answer | Promise<Answer> {
  const { operation } = call.routed;
  const open = openOperations[operation];
  if (open !== undefined) return open(call);
  const closed = operations[operation];
  if (closed === undefined) throw pageNotFound(call);
  authorize(call);
  return closed(call);
}

type Serve = (call: Call) => Answer | Promise<Answer>;

/** Operations that check the login themselves, or need none. */
const openOperations: Partial<Record<Operation, Serve>> = {
  session,
  login,
  logout,
  verifyTotp,
  information: ({ state }) => {
    if (state.versionCheck) throw new Failure(500, 'Failed to fetch latest release');
    return json({
      currentRelease: release,
      latestRelease: { version: release, changelog: '' },
      updateAvailable: false,
      insecure: !state.secureCookies,
      isAwg: false,
      firewallEnabled: false,
    });
  },
  setup: () => {
    throw new Failure(400, 'Invalid state');
  },
  authMethods: () => json({ oauthEnabled: false, passwordDisabled: false, autoLaunchProvider: null }),
  authProvider: () => {
    throw new Failure(400, 'Invalid provider');
  },
};

const operations: Partial<Record<Operation, Serve>> = {
  setTotp,
  list: (call) => {
    const found = selected(call);
    if (call.state.interfaceGone) throw serverError();
    return json(found.map((client) => listElement15(call.state, client)));
  },
  create: async (call) => {
    const { state } = call;
    const { name, expiresAt } = valid(createComplaint(readBody(call.request)), call);
    const created = await mutate(call, () => addClient(state, name, expiresAt as string | null) ?? refused());
    return json({ success: true, clientId: created.id });
  },
  get: (call) => {
    const client = existing(call);
    if (call.state.interfaceGone) throw serverError();
    return json(clientView(client));
  },
  update: async (call) => {
    const id = numberOf(call);
    const body = valid(updateComplaint(readBody(call.request)), call);
    const client = findClient(call.state, id);
    await mutate(call, () => client && changeClient(call.state, client, changeOf(client, body)));
    return done();
  },
  delete: async (call) => {
    const id = numberOf(call);
    await mutate(call, () => removeClient(call.state, id));
    return done();
  },
  enable: (call) => setEnabled(call, true),
  disable: (call) => setEnabled(call, false),
  configuration: (call) => {
    const client = existing(call);
    const headers = {
      'content-disposition': `attachment; filename="${downloadName(client)}"`,
      'content-type': 'application/octet-stream',
    };
    return { ...json(null), headers, body: configurationText(call.state, client) };
  },
};

/** The clients of a list, filtered and sorted. */
function selected({ state, request }: Call): Client[] {
  const query = queryOf(request);
  const sort = query.get('sort') ?? 'asc';
  const filter = query.get('filter') ?? '';
  if (sort !== 'asc' && sort !== 'desc') {
    throw new Failure(400, 'Validation Error', { message: 'Invalid option: expected one of "asc"|"desc"', data: {} });
  }
  const found = state.clients.filter((client) => isLike(client, filter));
  const byName = found.toSorted((a, b) => Buffer.compare(Buffer.from(String(a.name)), Buffer.from(String(b.name))));
  return sort === 'desc' ? byName.reverse() : byName;
}

/** Matches like SQL's `LIKE '%…%'`; wildcards in the filter apply. */
function isLike({ name, ipv4Address, ipv6Address }: Client, filter: string): boolean {
  const literal = filter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(literal.replaceAll('%', '.*').replaceAll('_', '.'), 'is');
  return [String(name), ipv4Address, ipv6Address].some((text) => pattern.test(text));
}

/** Runs a mutation, then updates the interface, even if nothing changed. */
function mutate<Result>({ state }: Call, run: () => Result): Promise<Result> {
  return state.database.transact('mutation', () => {
    const result = run();
    if (!syncInterface(state)) throw serverError();
    return result;
  });
}

async function setEnabled(call: Call, enabled: boolean): Promise<Answer> {
  const client = findClient(call.state, numberOf(call));
  await mutate(call, () => client && changeClient(call.state, client, { enabled }));
  return done();
}

function changeOf(client: Client, body: Body): Partial<Client> {
  const known = Object.keys(client.settings).filter((name) => body[name] !== undefined);
  const settings = Object.fromEntries(known.map((name) => [name, body[name]])) as Partial<ClientSettings>;
  return {
    name: body.name,
    enabled: body.enabled === true,
    expiresAt: body.expiresAt as string | null,
    ipv4Address: String(body.ipv4Address),
    ipv6Address: String(body.ipv6Address),
    settings: { ...client.settings, ...settings },
  };
}

function existing(call: Call): Client {
  const client = findClient(call.state, numberOf(call));
  if (client === null) throw new Failure(404, 'Client not found');
  return client;
}

function numberOf({ routed }: Call): number {
  const id = Number(routed.id);
  if (!Number.isNaN(id)) return id;
  throw new Failure(400, 'Validation Error', { message: 'clientId is required', data: {} });
}

function refused(): never {
  throw serverError();
}
