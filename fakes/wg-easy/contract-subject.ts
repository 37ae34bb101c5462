import { type Dialect, dialects } from './model/dialect.ts';
import { startWgEasy } from './wg-easy.ts';

/**
 * The wg-easy that contract tests run on: the fake, or with `BOXGATE_WGEASY_URL` a real one that has no other users. It
 * needs `BOXGATE_WGEASY_DIALECT` (14, 15.4), `BOXGATE_WGEASY_PASSWORD` and for version 15
 * `BOXGATE_WGEASY_USERNAME`.
 */
export type Subject = {
  dialect: Dialect;
  username: string;
  password: string;
  /** Sends one request with a JSON body. */
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>;
  close(): Promise<void>;
};

export type AskOptions = { body?: object; cookie?: string; authorization?: string };
export type Reply = { status: number; headers: Headers; text: string; json: () => unknown };

/** The fields that the contract uses, in all dialects. */
export type Listed = {
  id: number | string;
  name: string;
  enabled: boolean;
  address: string;
  publicKey: string;
  transferRx: number | null;
};

/** One subject per dialect, or only the real one. */
export function subjects(): { dialect: Dialect; open: () => Promise<Subject> }[] {
  const { BOXGATE_WGEASY_URL: url } = process.env;
  if (url === undefined) return dialects.map((dialect) => ({ dialect, open: () => openFake(dialect) }));
  const dialect = dialects.find((one) => one === process.env.BOXGATE_WGEASY_DIALECT);
  if (dialect === undefined) throw new Error(`BOXGATE_WGEASY_DIALECT is one of ${dialects.join(', ')}`);
  const { BOXGATE_WGEASY_USERNAME: username = 'admin', BOXGATE_WGEASY_PASSWORD: password = '' } = process.env;
  const close = () => Promise.resolve();
  return [{ dialect, open: async () => ({ dialect, username, password, ask: askerOf(url), close }) }];
}

async function openFake(dialect: Dialect): Promise<Subject> {
  const { username, password, url, close } = await startWgEasy({ dialect });
  return { dialect, username, password, ask: askerOf(url), close };
}

function askerOf(url: string): Subject['ask'] {
  return async (method, path, { body, cookie, authorization } = {}) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(authorization === undefined ? {} : { authorization }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
}

export function loginPath({ dialect }: Subject): string {
  return dialect === '14' ? '/api/session' : '/api/auth/password';
}

export async function logIn(subject: Subject): Promise<string> {
  const { username, password } = subject;
  const reply = await subject.ask('POST', loginPath(subject), { body: { username, password, remember: false } });
  if (reply.status !== 200) throw new Error(`the login answered ${reply.status}`);
  return cookieOf(reply);
}

export function cookieOf(reply: Reply): string {
  return reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

export function clientsPath({ dialect }: Subject): string {
  return dialect === '14' ? '/api/wireguard/client' : '/api/client';
}

export async function listClients(subject: Subject, cookie: string, query = ''): Promise<Listed[]> {
  const reply = await subject.ask('GET', `${clientsPath(subject)}${query}`, { cookie });
  const found = reply.json() as (Listed & { ipv4Address: string })[];
  return found.map((one) => ({ ...one, address: one.address ?? one.ipv4Address }));
}

/** Creates a client with a unique name and returns it. */
export async function create(subject: Subject, cookie: string, name: string): Promise<Listed> {
  const reply = await subject.ask('POST', clientsPath(subject), { cookie, body: { name, expiresAt: null } });
  const found = (await listClients(subject, cookie)).find((client) => client.name === name);
  if (reply.status !== 200 || found === undefined) throw new Error(`create of ${name} answered ${reply.status}`);
  return found;
}

export function remove(subject: Subject, cookie: string, id: number | string): Promise<Reply> {
  return subject.ask('DELETE', `${clientsPath(subject)}/${id}`, { cookie });
}

export async function configurationOf(subject: Subject, cookie: string, id: number | string): Promise<string> {
  return (await subject.ask('GET', `${clientsPath(subject)}/${id}/configuration`, { cookie })).text;
}

/** A value of a configuration; the last one of that name. */
export function settingOf(text: string, name: string): string {
  const line = text.split('\n').findLast((one) => one.startsWith(`${name} = `));
  return line?.slice(name.length + 3) ?? '';
}
