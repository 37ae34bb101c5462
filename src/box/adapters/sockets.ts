import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { linkTarget } from '../../lib/files/storage.ts';
import type { Sockets } from '../engine/ports.ts';
import { parseListeningSockets } from '../rules/compose/listening-sockets.ts';

/** Room for seven thousand sockets. The kernel lists listening TCP sockets before connections. */
const mostBytes = 1024 * 1024;

const tables = [
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
  ['udp', 'udp'],
  ['udp6', 'udp'],
] as const;

/** The sockets of this machine, read from `/proc`. */
export function makeSockets(): Sockets {
  return {
    listening() {
      const own = ownSockets();
      return tables
        .flatMap(([table, protocol]) => parseListeningSockets(readStart(`/proc/net/${table}`), protocol))
        .map((socket) => ({ ...socket, isThisBox: own.has(`socket:[${socket.inode}]`) }));
    },
  };
}

/** The targets of this process's open files. One may be closed meanwhile. */
function ownSockets(): Set<string | null> {
  const folder = '/proc/self/fd';
  try {
    return new Set(readdirSync(folder).map((file) => linkTarget(`${folder}/${file}`)));
  } catch {
    return new Set(); // This is not Linux.
  }
}

/** The first bytes of a file of `/proc`, whose size is 0; empty if it cannot be read. */
function readStart(path: string): string {
  const bytes = Buffer.allocUnsafe(mostBytes);
  let length = 0;
  try {
    const descriptor = openSync(path, 'r');
    try {
      for (let count = -1; count !== 0; length += count) {
        count = readSync(descriptor, bytes, length, mostBytes - length, null);
      }
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // This is not Linux, or a kernel without IPv6.
  }
  return bytes.toString('latin1', 0, length);
}
