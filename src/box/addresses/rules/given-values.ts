/** Values of a registration or a publication, as an owner gives them by flags or in a form. */

import { isNetwork } from '../../../lib/network/network-text.ts';

const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/;

/** Plain HTTP over a network would expose the token. */
export function gatewayUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.username || url?.password) throw new Error('expected an address without a user name or password');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (url === null || !isSafe) throw expected('an address that is https: or loopback http:', text);
  if (url.search !== '' || url.hash !== '') throw expected('an address without ? and #', text);
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** A password after the name is refused, and not shown. */
export function loginName(text: string): string {
  if (text.includes(':')) {
    throw new Error(
      "expected a name without a password: the gateway's proxy computes its hash at every request, which is fast only for a random one of 128 bits, so boxgate makes it",
    );
  }
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)) return text;
  throw expected('a name of 1 to 63 letters, digits, dots, _ and -', text);
}

/** @param texts - each may have several, with commas */
export function networks(texts: readonly string[]): string[] {
  return listOf(texts, 32, isNetwork, 'addresses or networks such as 203.0.113.0/24');
}

export function openPaths(texts: readonly string[]): string[] {
  return listOf(texts, 16, isOpenPath, 'a path such as /ping or /api/*');
}

function isOpenPath(text: string): boolean {
  return text.length <= 200 && /^(?:\/\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:\/|\/\*)?$/.test(text);
}

function listOf(texts: readonly string[], most: number, isOne: (text: string) => boolean, form: string): string[] {
  const values = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const wrong = values.find((value) => !isOne(value));
  if (wrong !== undefined) throw expected(form, wrong);
  if (values.length > most) throw new Error(`expected at most ${most}, got ${values.length}`);
  return values;
}

function expected(what: string, found: string): Error {
  return new Error(`expected ${what}, found ${JSON.stringify(found)}`);
}
