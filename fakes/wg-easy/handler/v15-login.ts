import { cookieName, openSession, sessionOf } from '../model/sessions.ts';
import type { Session, State } from '../model/state.ts';
import { isTotpCode, newTotpKey } from '../model/totp.ts';
import { type Answer, readBody } from './request.ts';
import { type Call, done, Failure, json, valid } from './v15-answers.ts';
import { loginComplaint } from './validate.ts';

const anonymous: Session = { authenticated: false, pending: false };

export function session(call: Call): Answer {
  const { state } = call;
  const found = sessionOr(call, anonymous);
  if (!found.authenticated) throw new Failure(401, 'Not authenticated');
  return json({
    id: 1,
    role: 1,
    username: state.username,
    name: 'Administrator',
    email: null,
    totpVerified: state.totp?.on ?? false,
    oauthProvider: null,
    hasPassword: true,
  });
}

/** A successful login always sets a new cookie. It hashes the password inside a transaction. */
export async function login(call: Call): Promise<Answer> {
  const { state, request } = call;
  const body = valid(loginComplaint(readBody(request)), call);
  return state.database.transact('login', () => {
    if (body.username !== state.username || body.password !== state.password) {
      sessionOr(call, anonymous);
      throw new Failure(401, 'Invalid username or password');
    }
    if (state.totp?.on) {
      setSession(call, { authenticated: false, pending: true }, false);
      return json({ status: 'TOTP_REQUIRED' });
    }
    setSession(call, { authenticated: true, pending: false }, body.remember === true);
    return json({ status: 'success' });
  });
}

export function verifyTotp(call: Call): Answer {
  const { state, request } = call;
  const found = sessionOr(call, anonymous);
  if (!found.pending || state.totp === null) throw new Failure(401, 'No pending authentication');
  const { totpCode } = Object(readBody(request));
  if (!isTotpCode(state.totp.key, totpCode, state.now())) return json({ status: 'INVALID_TOTP_CODE' });
  setSession(call, { authenticated: true, pending: false }, false);
  return json({ status: 'success' });
}

/** The session is stored in the cookie, so an old cookie stays valid. */
export function logout({ state, cookies }: Call): Answer {
  cookies.push(`${cookieName(state)}=; Path=/; HttpOnly${state.secureCookies ? '; Secure' : ''}`);
  return done();
}

/** Checks the cookie, then Basic; throws if neither is valid. */
export function authorize(call: Call) {
  const { authorization } = call.request.headers;
  if (sessionOr(call, anonymous).authenticated) return;
  if (authorization === undefined) throw new Failure(401, 'Session failed. No Authorization');
  authorizeBasic(call, authorization);
}

function authorizeBasic({ state }: Call, header: string) {
  const [scheme = '', encoded = ''] = header.split(' ');
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const password = rest.join(':');
  if (scheme !== 'Basic' || username === '' || password === '') throw new Failure(400, 'Invalid Basic Authorization');
  const good = username === state.username && password === state.password;
  if (!good || state.totp?.on) throw new Failure(401, 'Session failed');
}

export function setTotp({ state, request }: Call): Answer {
  const { type, code, currentPassword } = Object(readBody(request));
  if (type === 'setup') return json({ success: true, type, ...newTotp(state) });
  if (type === 'create' && state.totp !== null && isTotpCode(state.totp.key, code, state.now())) {
    state.totp.on = true;
    return json({ success: true, type: 'created' });
  }
  if (type === 'delete' && currentPassword === state.password) {
    state.totp = null;
    return json({ success: true, type: 'deleted' });
  }
  throw new Failure(400, 'Validation Error', { message: 'Invalid input', data: {} });
}

function newTotp(state: State): { key: string; uri: string } {
  const key = newTotpKey();
  state.totp = { key, on: false };
  const uri = `otpauth://totp/wg-easy:${state.username}?issuer=wg-easy&secret=${key}&algorithm=SHA1&digits=6&period=30`;
  return { key, uri };
}

/** Returns the session of the cookie; without a cookie, sets one with `otherwise`. */
function sessionOr(call: Call, otherwise: Session): Session {
  const known = sessionOf(call.state, call.request.headers.cookie);
  if (known !== null) return known.session;
  setSession(call, otherwise, false);
  return otherwise;
}

function setSession({ state, cookies }: Call, session: Session, remember: boolean) {
  const attributes = [
    ...(remember ? ['Max-Age=3600'] : []),
    'Path=/',
    'HttpOnly',
    ...(state.secureCookies ? ['Secure'] : []),
  ];
  cookies.push([`${cookieName(state)}=${openSession(state, session)}`, ...attributes].join('; '));
}
