import { type PortSpan, plainAddress } from './port-span.ts';

/** A socket that waits for connections or packets. Its inode identifies the programs that have it open. */
export type ListeningSocket = PortSpan & { inode: string };

/** The kernel's state codes of listening TCP sockets and of unconnected UDP sockets. */
const waiting = { tcp: '0A', udp: '07' };
const socketLine = /^ *\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) \S+ (\w\w) (?:\S+ +){5}(\d+) /;

/** The waiting sockets in `/proc/net/tcp`, `tcp6`, `udp` or `udp6`. One on `::` also covers IPv4, the usual default. */
export function parseListeningSockets(text: string, protocol: 'tcp' | 'udp'): ListeningSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, words = '', hex = '', state, inode = ''] = socketLine.exec(line) ?? [];
    if (state !== waiting[protocol]) return [];
    const address = addressOf(words);
    const port = Number.parseInt(hex, 16);
    return [{ protocol, address: address === '::' ? '' : address, from: port, to: port, inode }];
  });
}

/** The kernel prints 32-bit words in the machine's byte order, which is little-endian on x64 and arm64. */
function addressOf(words: string): string {
  const hex = words.replaceAll(/(..)(..)(..)(..)/g, '$4$3$2$1');
  if (hex.length > 8) return plainAddress(hex.replaceAll(/....(?=.)/g, '$&:')) as string;
  return [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');
}
