import { WgEasyError } from './wg-easy-error.ts';
import { isUnknownPath, loginRefusal, notWgEasy, refusal, unexpectedResponse } from './wg-easy-faults.ts';
import { type Answer, type Call, exchange } from './wg-easy-request.ts';
import {
  findCookie,
  isUser15,
  parseClients,
  parseLoginStatus,
  parseSession14,
  parseSuccess,
  wordsOf,
} from './wg-easy-responses.ts';

export type WgEasy = ReturnType<typeof makeWgEasy>;

/** Time limit of the next request in milliseconds. */
export type Budget = () => number;

/** Named after a release that uses it. */
export type Dialect = keyof typeof dialects;

/** The result of a probe. */
export type Found = { dialect: Dialect; asksForPassword: boolean };

/** `cookie` is `null` only for version 14 without a password. */
export type Session = { dialect: Dialect; cookie: string | null };

export type Account = { url: URL; username: string; password: string };

const dialects = {
  '14': { login: '/api/session', clients: '/api/wireguard/client', cookie: 'connect.sid' },
  '15.4': { login: '/api/auth/password', clients: '/api/client', cookie: 'wg-easy' },
} as const;

export function isDialect(text: unknown): text is Dialect {
  return typeof text === 'string' && Object.hasOwn(dialects, text);
}

const sessionPath = '/api/session';

type Send = (call: Call) => Promise<Answer>;

/**
 * The HTTP API of wg-easy 14, and of 15 from 15.4 on. No response names the version, so the dialect is detected before
 * each login: by the response to `GET /api/session` without a session, and on version 15 by which login path exists.
 * Has no state and no retries. Throws WgEasyError.
 */
export function makeWgEasy(account: Account) {
  const sending =
    (budget: Budget): Send =>
    (call) =>
      exchange(account.url, call, budget());

  /** Sends a request within a session. Throws for any response but 200, and for one that `read` does not understand. */
  async function ask<Result>(
    session: Session,
    request: Omit<Call, 'cookie'>,
    budget: Budget,
    read: (answer: Answer) => Result | null,
  ): Promise<Result> {
    const send = sending(budget);
    const answer = await send({ ...request, cookie: session.cookie });
    if (answer.status === 500 && !(await isLoggedIn(session, send))) {
      throw new WgEasyError('sessionLost', 'it answers 500 to requests without a login');
    }
    if (answer.status !== 200) throw refusal(request, answer);
    const result = read(answer);
    if (result === null) throw unexpectedResponse(request, answer);
    return result;
  }

  const pathOf = ({ dialect }: Session, end = '') => `${dialects[dialect].clients}${end}`;
  return {
    /** Probes without credentials, so that only a supported wg-easy ever receives the password. */
    detect: (budget: Budget) => detect(sending(budget)),

    async login({ dialect, asksForPassword }: Found, budget: Budget): Promise<Session> {
      if (!asksForPassword) return { dialect, cookie: null };
      return { dialect, cookie: await logins[dialect](sending(budget), account) };
    },

    /** @returns the new peer's id; `null` if the dialect does not return it */
    async create(session: Session, name: string, budget: Budget): Promise<string | null> {
      const body = session.dialect === '14' ? { name } : { name, expiresAt: null };
      const request = { method: 'POST', path: pathOf(session), body } as const;
      return (await ask(session, request, budget, parseSuccess)).id;
    },

    list: (session: Session, budget: Budget) =>
      ask(session, { method: 'GET', path: pathOf(session) }, budget, ({ body }) => parseClients(body)),

    configuration: (session: Session, id: string, budget: Budget) =>
      ask(session, { method: 'GET', path: pathOf(session, `/${id}/configuration`) }, budget, ({ body }) => body),

    /** Succeeds for an unknown id, too. */
    async remove(session: Session, id: string, budget: Budget): Promise<void> {
      await ask(session, { method: 'DELETE', path: pathOf(session, `/${id}`) }, budget, parseSuccess);
    },
  };
}

async function detect(send: Send): Promise<Found> {
  const answer = await send({ method: 'GET', path: sessionPath, cookie: null });
  const session14 = parseSession14(answer);
  if (session14 !== null) return { dialect: '14', asksForPassword: session14.requiresPassword };
  // Versions 15.0 and 15.1 answer with nothing if nobody is logged in.
  if (answer.status === 204) throw new WgEasyError('tooOld', `204 to GET ${sessionPath}`);
  if (answer.status !== 401 || wordsOf(answer) === '') throw notWgEasy({ method: 'GET', path: sessionPath }, answer);
  // From 15.4 on, a GET of the login path is answered as one of an unknown OAuth provider, with 400.
  const { login: path } = dialects['15.4'];
  const login = await send({ method: 'GET', path, cookie: null });
  if (isUnknownPath(login)) throw new WgEasyError('tooOld', `404 to GET ${path}`);
  return { dialect: '15.4', asksForPassword: true };
}

/** Sends the password without a cookie: wg-easy 14 sets none if the login request has a valid one. */
const logins = {
  async '14'(send: Send, { password }: Account): Promise<string> {
    const { login: path, cookie: cookieName } = dialects['14'];
    const answer = await send({ method: 'POST', path, cookie: null, body: { password } });
    if (answer.status === 401) throw new WgEasyError('wrongPassword', 'it refuses the password');
    if (answer.status !== 200) throw refusal({ method: 'POST', path }, answer);
    const cookie = findCookie(answer, cookieName);
    if (parseSuccess(answer) === null || cookie === null) throw unexpectedResponse({ method: 'POST', path }, answer);
    return cookie;
  },

  async '15.4'(send: Send, { username, password }: Account): Promise<string> {
    const { login: path, cookie: cookieName } = dialects['15.4'];
    const answer = await send({ method: 'POST', path, cookie: null, body: { username, password, remember: false } });
    if (answer.status !== 200) throw loginRefusal(path, answer);
    const status = parseLoginStatus(answer);
    // The response to a login without its second factor is also 200, and may set a useless cookie.
    if (status === 'TOTP_REQUIRED') throw new WgEasyError('twoFactor', 'it asks for a second factor');
    const cookie = findCookie(answer, cookieName);
    if (status !== 'success' || cookie === null) throw unexpectedResponse({ method: 'POST', path }, answer);
    return cookie;
  },
};

/**
 * Version 14 answers 500 to requests without a login as well as to faults; only its session resource distinguishes
 * them. It also answers 500 to a cookie of version 15.
 */
async function isLoggedIn({ dialect, cookie }: Session, send: Send): Promise<boolean> {
  const answer = await send({ method: 'GET', path: sessionPath, cookie }).catch(() => null);
  if (answer === null) return true; // Without an answer, the 500 counts as a server error.
  const session14 = parseSession14(answer);
  if (session14 !== null) return dialect === '14' && session14.authenticated;
  return isUser15(answer) ? dialect !== '14' : answer.status >= 500;
}
