const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/;

/**
 * Whether a release feed may be read from an address: plain HTTP over a network can be forged.
 * choice/box/137
 */
export function isFeedAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || isOnThisMachine(url));
}

/**
 * Whether a feed may announce a release without a signed statement: only a feed on this machine may. choice/box/139
 */
export function mayBeUnsigned(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isOnThisMachine(url);
}

/**
 * The address that a feed or a redirection at `from` names, or `null` if it may not lead there. HTTPS may lead only
 * to HTTPS, a web server of this machine also to itself, and a file also to files.
 * choice/box/137
 */
export function addressFrom(from: string, named: string): URL | null {
  const base = URL.parse(from);
  const target = URL.parse(named, from);
  if (base === null || target === null || target.username !== '' || target.password !== '') return null;
  if (target.protocol === 'https:') return target;
  if (base.protocol === 'https:' || !isOnThisMachine(target)) return null;
  return target.protocol === 'file:' && base.protocol !== 'file:' ? null : target;
}

function isOnThisMachine(url: URL): boolean {
  return url.protocol === 'file:' || (url.protocol === 'http:' && loopback.test(url.hostname));
}
