const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/;

/**
 * Whether a release feed may be read from there: what travels in clear over a network could be anybody's.
 * choice/box/137
 */
export function isFeedAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (url.protocol === 'https:' || url.protocol === 'file:') return true;
  return url.protocol === 'http:' && loopback.test(url.hostname);
}
