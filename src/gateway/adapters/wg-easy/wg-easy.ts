import { WgEasyError } from './wg-easy-error.ts';
import { loginRefusal, notWgEasy, refusal, unexpectedResponse } from './wg-easy-faults.ts';
import { type Answer, type Call, exchange } from './wg-easy-request.ts';
import {
  findCookie,
  isUser15,
  parseClients,
  parseLoginStatus,
  parseSession14,
  parseSuccess,
  type WgEasyPeer,
  wordsOf,
} from './wg-easy-responses.ts';

/**
 * The HTTP API of wg-easy, in its four dialects. Nothing in an answer names the version: the dialect is found out
 * before each login by what `GET /api/session` answers to a stranger, and on version 15 by which login path is there.
 * This file knows the wire and nothing else: it repeats nothing, waits for nobody and keeps nothing. Every failure is
 * a WgEasyError.
 */
export type WgEasy = {
  /** Asks without a word about us: what is no wg-easy gets to see no password. */
  detect(budget: Budget): Promise<Found>;
  login(found: Found, budget: Budget): Promise<Session>;
  /** The new client's id where the dialect tells it. */
  create(session: Session, name: string, budget: Budget): Promise<string | null>;
  list(session: Session, budget: Budget): Promise<WgEasyPeer[]>;
  configuration(session: Session, id: string, budget: Budget): Promise<string>;
  /** An id that is not there is deleted as well as one that is. */
  remove(session: Session, id: string, budget: Budget): Promise<void>;
};

/** How many milliseconds the next exchange may take. */
export type Budget = () => number;

/** Named after a release that was seen to speak it. */
export type Dialect = keyof typeof dialects;

/** What answers there: the dialects that it may speak, in the order in which they are tried. */
export type Found = { dialects: readonly Dialect[]; asksForPassword: boolean };

/** Without a cookie only at a version 14 that asks for no password. */
export type Session = { dialect: Dialect; cookie: string | null };

export type Account = { url: URL; username: string; password: string };

const dialects = {
  '14': { login: '/api/session', clients: '/api/wireguard/client', cookie: 'connect.sid' },
  '15.1': { login: '/api/session', clients: '/api/client', cookie: 'wg-easy' },
  '15.3': { login: '/api/session', clients: '/api/client', cookie: 'wg-easy' },
  '15.4': { login: '/api/auth/password', clients: '/api/client', cookie: 'wg-easy' },
} as const;

export function isDialect(text: unknown): text is Dialect {
  return typeof text === 'string' && Object.hasOwn(dialects, text);
}

const sessionPath = '/api/session';

export function makeWgEasy(account: Account): WgEasy {
  const send = (call: Call, budget: Budget) => exchange(account.url, call, budget());

  /** One call within a session: the answer of a success, or the failure in words of the wire. */
  async function call(session: Session, request: Omit<Call, 'cookie'>, budget: Budget): Promise<Answer> {
    const { cookie } = session;
    const answer = await send({ ...request, cookie }, budget);
    if (answer.status === 200) return answer;
    if (answer.status === 500 && !(await isLoggedIn(session, budget))) {
      throw new WgEasyError('sessionLost', 'it answers 500 to whoever is not logged in');
    }
    throw refusal(request, answer);
  }

  /**
   * Version 14 answers the same 500 to whoever is not logged in as to any fault; only its view of the session tells
   * them apart. It does the same for a session of version 15 that is shown to a version 14.
   */
  async function isLoggedIn({ dialect, cookie }: Session, budget: Budget): Promise<boolean> {
    const answer = await send({ method: 'GET', path: sessionPath, cookie }, budget).catch(() => null);
    if (answer === null) return true; // Not known: the fault that was asked about stays what it is.
    const session14 = parseSession14(answer);
    if (session14 !== null) return dialect === '14' && session14.authenticated;
    return isUser15(answer) ? dialect !== '14' : answer.status >= 500;
  }

  async function login14(budget: Budget): Promise<Session> {
    const { login: path, cookie: cookieName } = dialects['14'];
    const body = { password: account.password };
    // Without a cookie: a login that carries one that the manager knows gets none back.
    const answer = await send({ method: 'POST', path, cookie: null, body }, budget);
    if (answer.status === 401) throw new WgEasyError('wrongPassword', 'it refuses the password');
    if (answer.status !== 200) throw refusal({ method: 'POST', path }, answer);
    const cookie = findCookie(answer, cookieName);
    if (parseSuccess(answer) === null || cookie === null)
      throw unexpectedResponse({ method: 'POST', path }, answer);
    return { dialect: '14', cookie };
  }

  async function login15(dialect: Exclude<Dialect, '14'>, budget: Budget): Promise<Session> {
    const { login: path, cookie: cookieName } = dialects[dialect];
    const body = { username: account.username, password: account.password, remember: false };
    const answer = await send({ method: 'POST', path, cookie: null, body }, budget);
    if (answer.status !== 200) throw loginRefusal(path, answer);
    const status = parseLoginStatus(answer);
    // A login that lacks a second factor is answered with 200 too, and may set a cookie that is good for nothing.
    if (status === 'TOTP_REQUIRED') throw new WgEasyError('twoFactor', 'it asks for a second factor');
    const cookie = findCookie(answer, cookieName);
    if (status !== 'success' || cookie === null) throw unexpectedResponse({ method: 'POST', path }, answer);
    return { dialect, cookie };
  }

  return {
    async detect(budget) {
      const answer = await send({ method: 'GET', path: sessionPath, cookie: null }, budget);
      const session14 = parseSession14(answer);
      if (session14 !== null) return { dialects: ['14'], asksForPassword: session14.requiresPassword };
      if (answer.status === 204) return { dialects: ['15.1'], asksForPassword: true };
      if (answer.status !== 401 || wordsOf(answer) === '') {
        throw notWgEasy({ method: 'GET', path: sessionPath }, answer);
      }
      return { dialects: ['15.4', '15.3'], asksForPassword: true };
    },

    async login({ dialects: [dialect, ...others], asksForPassword }, budget) {
      if (dialect === undefined) throw new WgEasyError('wrongPath', '404 to every login path');
      if (!asksForPassword) return { dialect, cookie: null };
      try {
        return await (dialect === '14' ? login14(budget) : login15(dialect, budget));
      } catch (error) {
        if (!(error instanceof WgEasyError && error.fault === 'wrongPath')) throw error;
        return this.login({ dialects: others, asksForPassword }, budget);
      }
    },

    async create(session, name, budget) {
      const request = {
        method: 'POST',
        path: dialects[session.dialect].clients,
        body: session.dialect === '14' ? { name } : { name, expiresAt: null },
      } as const;
      const answer = await call(session, request, budget);
      const success = parseSuccess(answer);
      if (success === null) throw unexpectedResponse(request, answer);
      return success.id;
    },

    async list(session, budget) {
      const request = { method: 'GET', path: dialects[session.dialect].clients } as const;
      const answer = await call(session, request, budget);
      const clients = parseClients(answer.body);
      if (clients === null) throw unexpectedResponse(request, answer);
      return clients;
    },

    async configuration(session, id, budget) {
      const path = `${dialects[session.dialect].clients}/${id}/configuration`;
      return (await call(session, { method: 'GET', path }, budget)).body;
    },

    async remove(session, id, budget) {
      const request = { method: 'DELETE', path: `${dialects[session.dialect].clients}/${id}` } as const;
      const answer = await call(session, request, budget);
      if (parseSuccess(answer) === null) throw unexpectedResponse(request, answer);
    },
  };
}
