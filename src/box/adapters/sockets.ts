import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Program, Sockets } from '../ports.ts';
import { parseListeningSockets } from '../rules/compose/listening-sockets.ts';

/** Seven thousand sockets. The kernel lists those of TCP that listen before all connections. */
const mostBytes = 1024 * 1024;
/** So many open files are looked at before a program counts as unknown. */
const mostFiles = 100_000;

const tables = [
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
  ['udp', 'udp'],
  ['udp6', 'udp'],
] as const;

/** The sockets of this machine as `/proc` shows them. To see whose they are takes CAP_SYS_PTRACE. */
export function makeSockets(): Sockets {
  return {
    listening: () =>
      tables.flatMap(([table, protocol]) => parseListeningSockets(readStart(`/proc/net/${table}`), protocol)),
    program: findProgram,
  };
}

/** The first bytes of a file of `/proc`, which has no size; empty if it cannot be read. */
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
    // Not Linux, or a kernel without IPv6.
  }
  return bytes.toString('latin1', 0, length);
}

function findProgram(inode: string): Program | null {
  const link = `socket:[${inode}]`;
  let left = mostFiles;
  const hasOpen = (pid: string) =>
    namesOf(`/proc/${pid}/fd`).some((file) => {
      left -= 1;
      return left >= 0 && targetOf(`/proc/${pid}/fd/${file}`) === link;
    });
  const pids = namesOf('/proc').filter((name) => /^\d+$/.test(name) && name !== '1');
  // Last the service manager, which keeps the sockets that it opens for others.
  const pid = [...pids, '1'].find(hasOpen);
  if (pid === undefined) return null;
  // The name of the main thread, `comm`, is cut to 15 characters, and the same for every program of Node.
  const file = targetOf(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  return { name: basename(file), pid: Number(pid), isThisBox: Number(pid) === process.pid };
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The process ended, or is somebody else's.
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
