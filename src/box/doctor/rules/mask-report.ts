const ipv4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
/** Private, loopback, link-local and unspecified addresses. */
const local = /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const perhapsIpv6 = /[\da-f:]{6,45}/gi;
const localIpv6 = /^(?:f[cde]|::)/i;
const credentials = /(?<=:\/\/)[^\s/@]{1,200}@/g;
const webAddress = /https?:\/\/[^\s"'<>]{1,2000}/g;
const perhapsKey = /[\w+/-]{40,}={0,2}/g;
const hex = /^[\da-f]+$/;
const named =
  /\b(token|password|passwd|secret|authorization|api[_-]?key)(["']?\s?[:=]\s?)(?:bearer |basic )?["']?[^\s"',;]+/gi;

/** The text without what may be secret, or tell where the box is. Names in `hosts` become HOST-1, HOST-2 and so on. */
export function maskReport(text: string, hosts: readonly string[]): string {
  const masked = text
    .replace(credentials, '***@')
    .replace(webAddress, (address) => address.replace(/\?.*/, '?***'))
    .replace(named, '$1$2***')
    .replace(perhapsKey, maskKey)
    .replace(ipv4, (found) => (local.test(found) ? found : 'PUBLIC-ADDRESS'))
    .replace(perhapsIpv6, (found) => (isIpv6(found) && !localIpv6.test(found) ? 'PUBLIC-ADDRESS' : found));
  const longestFirst = [...new Set(hosts)].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((one, host, index) => one.replaceAll(host, `HOST-${index + 1}`), masked);
}

/** A digest is shortened. A long path or name is no key. */
function maskKey(found: string): string {
  if (hex.test(found)) return `${found.slice(0, 12)}…`;
  const isRandom = /[a-z]/.test(found) && /[A-Z]/.test(found) && /\d/.test(found) && found.split('/').length < 4;
  return isRandom || found.endsWith('=') ? '***' : found;
}

/** A time of day has too few colons. */
function isIpv6(found: string): boolean {
  const colons = found.split(':').length - 1;
  return colons === 7 || (colons > 2 && found.includes('::'));
}
