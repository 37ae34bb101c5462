import { randomBytes } from 'node:crypto';
import type { Session, State } from './state.ts';

export function cookieName(state: State): string {
  return state.dialect === '14' ? 'connect.sid' : 'wg-easy';
}

/** Stores a session and returns a cookie value in the format of the release. */
export function openSession(state: State, session: Session): string {
  const value = state.dialect === '14' ? signedId() : sealedBlob(session.pending ? 213 : 128);
  state.sessions.set(value, session);
  return value;
}

/** The session of a request; `null` if its cookie is missing or unknown. */
export function sessionOf(state: State, cookieHeader: string | undefined): { value: string; session: Session } | null {
  const prefix = `${cookieName(state)}=`;
  const pair = (cookieHeader ?? '').split(/;\s*/).find((one) => one.startsWith(prefix));
  if (pair === undefined) return null;
  const value = pair.slice(prefix.length);
  // Version 14 also accepts a decoded cookie.
  const key = [value, encodeURIComponent(value)].find((one) => state.sessions.has(one)) ?? '';
  const session = state.sessions.get(key);
  return session === undefined ? null : { value: key, session };
}

/** A signed session id, percent-encoded. */
function signedId(): string {
  const signature = randomBytes(32)
    .toString('base64')
    .replace(/={1,2}$/, '');
  return encodeURIComponent(`s:${randomBytes(24).toString('base64url')}.${signature}`);
}

/** The format of a sealed cookie. Only the server can read it, so here it is random. */
function sealedBlob(length: number): string {
  const hex = () => randomBytes(32).toString('hex');
  const text = (characters: number) => randomBytes(characters).toString('base64url').slice(0, characters);
  return `Fe26.2**${hex()}*${text(22)}*${text(length)}**${hex()}*${text(43)}`;
}
