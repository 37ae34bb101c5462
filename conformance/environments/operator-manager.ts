import type { ClientView } from '../../fakes/wg-easy/conditions.ts';
import { InvalidOption } from '../invalid-option.ts';

/** An administrator's view of a tunnel manager that the operator started. */
export type OperatorManager = {
  url: string;
  username: string;
  password: string;
  /** The stored clients, in the manager's order. */
  clients: () => Promise<ClientView[]>;
  remove: (id: ClientView['id']) => Promise<void>;
};

export type ManagerAddress = Pick<OperatorManager, 'url' | 'username' | 'password'>;

/** The paths of all versions. The first one that responds correctly is used. */
const loginPaths = ['/api/auth/password', '/api/session'];
const clientPaths = ['/api/client', '/api/wireguard/client'];

type Session = { cookie: string; path: string };
type Listed = {
  id: number | string;
  name: unknown;
  address?: string;
  ipv4Address?: string;
  publicKey: string;
  enabled: boolean;
  transferRx: number | null;
};

/** Logs in once per run, because some versions lock out parallel logins. */
export async function openOperatorManager(address: ManagerAddress): Promise<OperatorManager> {
  const url = address.url.replace(/\/$/, '');
  const { username, password } = address;
  const ask = (path: string, init: RequestInit) =>
    fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  let session = logIn(ask, { username, password }).catch((error: Error) => {
    // A failed connection has its reason in the cause.
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    throw new InvalidOption(`--tunnel: ${url}: ${cause?.message || cause?.code || error.message}`);
  });
  const asked = async (method: string, id = ''): Promise<Response> => {
    const send = async ({ cookie, path }: Session) => ask(path + id, { method, headers: { cookie } });
    const answer = await send(await session);
    if (answer.ok || answer.status === 404) return answer;
    // Logs in again, because the session may have expired. Not every version reports that by its status.
    session = logIn(ask, { username, password });
    return send(await session);
  };
  await session;
  return {
    url,
    username,
    password,
    clients: async () => {
      const answer = await asked('GET');
      if (!answer.ok) throw new Error(`${url}: the list of clients answered ${answer.status}`);
      return ((await answer.json()) as Listed[]).map(viewOf);
    },
    remove: async (id) => {
      const answer = await asked('DELETE', `/${id}`);
      if (!answer.ok && answer.status !== 404) throw new Error(`${url}: a removal answered ${answer.status}`);
    },
  };
}

type Ask = (path: string, init: RequestInit) => Promise<Response>;

async function logIn(ask: Ask, who: { username: string; password: string }): Promise<Session> {
  const body = JSON.stringify({ ...who, remember: false });
  const statuses: number[] = [];
  for (const login of loginPaths) {
    const answer = await ask(login, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    statuses.push(answer.status);
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    await answer.body?.cancel();
    if (!answer.ok || cookie === '') continue;
    for (const path of clientPaths) {
      const list = await ask(path, { headers: { cookie } });
      const found: unknown = await list.json().catch(() => null);
      if (list.ok && Array.isArray(found)) return { cookie, path };
    }
  }
  throw new Error(`no login as it is with wg-easy (${statuses.join(', ')})`);
}

/** Only clients on the interface have counters. */
function viewOf({ id, name, address, ipv4Address, publicKey, enabled, transferRx }: Listed): ClientView {
  return { id, name, address: address ?? ipv4Address ?? '', publicKey, enabled, live: transferRx !== null };
}
