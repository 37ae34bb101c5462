import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Program, Sockets } from '../ports.ts';
import { parseListeningSockets } from '../rules/compose/listening-sockets.ts';

/** Room for seven thousand sockets. The kernel lists listening TCP sockets before connections. */
const mostBytes = 1024 * 1024;
/** Open files that are inspected before a program counts as unknown. */
const mostFiles = 100_000;

const tables = [
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
  ['udp', 'udp'],
  ['udp6', 'udp'],
] as const;

/** The sockets of this machine, read from `/proc`. Finding their programs takes CAP_SYS_PTRACE. */
export function makeSockets(): Sockets {
  return {
    listening: () =>
      tables.flatMap(([table, protocol]) => parseListeningSockets(readStart(`/proc/net/${table}`), protocol)),
    program: findProgram,
  };
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

function findProgram(inode: string): Program | null {
  const link = `socket:[${inode}]`;
  let left = mostFiles;
  const hasOpen = (pid: string) =>
    namesOf(`/proc/${pid}/fd`).some((file) => {
      left -= 1;
      return left >= 0 && targetOf(`/proc/${pid}/fd/${file}`) === link;
    });
  const pids = namesOf('/proc').filter((name) => /^\d+$/.test(name) && name !== '1');
  // The service manager comes last: it keeps open the sockets that it passes to other programs.
  const pid = [...pids, '1'].find(hasOpen);
  if (pid === undefined) return null;
  // `comm`, the name of the main thread, is cut to 15 characters and is the same for every Node program.
  const file = targetOf(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  return { name: basename(file), pid: Number(pid), isThisBox: Number(pid) === process.pid };
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The process has ended, or belongs to another user.
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
