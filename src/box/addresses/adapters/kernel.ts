import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { NetworkFacts } from '../rules/own-networks.ts';

/** Room for about 2000 routes; name servers are in the first lines of their file. */
const mostBytes = 256 * 1024;

/** Observes the IPv4 networks of this machine. A file that cannot be read counts as empty. */
export function networkFacts(): NetworkFacts {
  return {
    interfaces: Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address, cidr }) => ({ name, address, prefix: Number(cidr?.split('/')[1] ?? 32) })),
    ),
    routes: startOf('/proc/net/route'),
    resolvers: startOf('/etc/resolv.conf'),
  };
}

/** The id of this run of the machine; empty in a sandbox that hides it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Whether another process serves a box under this number. */
export function servesBox(pid: number): boolean {
  try {
    return pid !== process.pid && /\0box\0serve\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/** Reads at most `mostBytes` of a file. Reads repeatedly, because `/proc` returns a file in several pieces. */
function startOf(file: string): string {
  const bytes = Buffer.alloc(mostBytes);
  let length = 0;
  try {
    const descriptor = openSync(file, 'r');
    try {
      for (let read = 1; read > 0 && length < mostBytes; length += read) {
        read = readSync(descriptor, bytes, length, mostBytes - length, null);
      }
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
  return bytes.toString('latin1', 0, length);
}
