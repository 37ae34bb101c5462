/** Which IP addresses backups may go to. */

/**
 * Why backups may not go to this address; `null` if they may. Refuses the box itself, and the addresses at which
 * a rented machine finds its secrets.
 */
export function addressProblem(address: string): string | null {
  const v4 = ipv4Of(address);
  if (v4 !== null ? isOwn4(v4) : isOwn6(groupsOf(address))) return 'it is an address of this box itself';
  if (v4 !== null ? isMetadata4(v4) : isMetadata6(groupsOf(address))) return 'no backup server has such an address';
  return null;
}

/** Whether an address is a private one, which no packet leaves the home network for. */
export function isInHomeNetwork(address: string): boolean {
  if (addressProblem(address) !== null) return false;
  const v4 = ipv4Of(address);
  if (v4 === null) return Number(groupsOf(address)[0]) >> 9 === 0xfc >> 1;
  const [a = 0, b = 0] = v4;
  return a === 10 || (a === 192 && b === 168) || (a === 172 && b >> 4 === 1) || (a === 100 && b >> 6 === 1);
}

/** The four numbers of an IPv4 address, also of one within an IPv6 address; `null` for another one. */
function ipv4Of(address: string): number[] | null {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(address)) return address.split('.').map(Number);
  const groups = groupsOf(address);
  const start = groups.slice(0, 6).join(' ');
  const [high = 0, low = 0] = groups.slice(6);
  // A mapped one, and one behind a translation (NAT64).
  if (start !== '0 0 0 0 0 65535' && start !== `${0x64} ${0xff9b} 0 0 0 0`) return null;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff];
}

/** The eight groups of an IPv6 address; none of another text. */
function groupsOf(address: string): number[] {
  const host = URL.parse(`http://[${address}]`)?.hostname;
  if (host === undefined) return [];
  const [start, end] = host.slice(1, -1).split('::');
  const before = groups(String(start));
  const after = groups(end ?? '');
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function isOwn4([a = 0]: readonly number[]): boolean {
  return a === 0 || a === 127;
}

function isOwn6(of: readonly number[]): boolean {
  return ['0 0 0 0 0 0 0 0', '0 0 0 0 0 0 0 1'].includes(of.join(' '));
}

/** Link-local and multicast addresses, and those of clouds that lie elsewhere: Azure, Alibaba, Oracle. */
function isMetadata4(of: readonly number[]): boolean {
  const [a = 0, b = 0] = of;
  const elsewhere = ['168.63.129.16', '100.100.100.200', '192.0.0.192'];
  return (a === 169 && b === 254) || a >= 224 || elsewhere.includes(of.join('.'));
}

/** The same, and that of Amazon. A text that is no address is refused too. */
function isMetadata6(of: readonly number[]): boolean {
  const [first = 0xffff] = of;
  return first >> 6 === 0xfe80 >> 6 || first >> 8 === 0xff || of.join(' ') === `${0xfd00} ${0xec2} 0 0 0 0 0 ${0x254}`;
}
