import { notifyAddressFault } from '../../notify/rules/notify-request.ts';
import { shownAddress } from '../../restic/restic-failure.ts';
import { isFeedAddress } from '../../self-update/rules/feed-address.ts';

/** Each parser takes the text of a value. Throws an error with the expected form. */

export function expected(what: string, found: string): Error {
  return new Error(`expected ${what}, found ${JSON.stringify(found)}`);
}

export const text = (value: string): string => value;

export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,10}$/.test(text) || value < from || value > to) {
      throw expected(`a whole number from ${from} to ${to}`, text);
    }
    return value;
  };
}

export function matching(form: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (!form.test(text)) throw expected(what, text);
    return text;
  };
}

/** The error is the problem that a rule finds. */
export function withoutProblem(problemOf: (text: string) => string | null): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== null) throw new Error(problem);
    return text;
  };
}

/** The values of a list; empty texts are no values. */
export function each<T>(parse: (text: string) => T): (texts: string[]) => T[] {
  return (texts) => texts.filter((text) => text !== '').map((text) => parse(text));
}

export const path = matching(/^[^\0]+$/, 'a path');

export const isOn = (text: string): boolean => text === 'true' || text === '1';

export const listenHost = matching(/^[A-Za-z0-9_.:%-]+$/, 'an address or a host name');

/** An IPv6 address is in brackets. */
export function listenAddress(text: string): { host: string; port: number } {
  const [, address, name, port = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = address ?? name;
  if (host === undefined || Number(port) > 65535) {
    throw expected('HOST:PORT, such as 127.0.0.1:9100 or [::1]:9100', text);
  }
  return { host, port: Number(port) };
}

export const timeOfDay = matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time such as 03:30');

export const unitName = matching(
  /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,200}\.service$/,
  'the name of a service, such as boxgate-box.service',
);

/** The error does not quote the address, which may have a token. */
export const notifyAddress = withoutProblem(notifyAddressFault);

/** The characters of a user and a password that restic takes as they are. */
const userInfo = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/** An absolute path, as a relative one would be another folder for each command, or an address of restic. */
export function repositoryAddress(text: string): string {
  if (!/^(?:\/|[a-z][a-z0-9+]*:)[^\0\n\r]+$/.test(text) || text.trim() !== text)
    throw expected('an absolute path or an address of restic, without a space around it', shownAddress(text));
  const [, user] = /:\/\/(.*)@/.exec(text) ?? [];
  // Restic would name the password in its error.
  if (user !== undefined && !userInfo.test(user)) {
    const way = 'write such a character as % and two hex digits, such as %2F for /';
    throw new Error(`the user and password before the @ have a character that an address cannot have: ${way}`);
  }
  return text;
}

/** Addresses appear in process arguments and in errors. */
export function refuseUser(url: URL | null): void {
  if (url?.username || url?.password) throw new Error('expected an address without a user name or password');
}

export function feedAddress(text: string): string {
  refuseUser(URL.parse(text));
  if (!isFeedAddress(text)) throw expected('an address that is https:, file: or loopback http:', text);
  return text;
}

export function httpAddress(text: string): string {
  const url = URL.parse(text);
  refuseUser(url);
  const isPlain = url?.search === '' && url.hash === '' && !text.includes('?') && !text.includes('#');
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('expected an http:// or https:// address without a query'); // The text may contain a password.
  }
  return text;
}
