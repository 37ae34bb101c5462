import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { NetworkFacts } from '../rules/own-networks.ts';

/** Observes the IPv4 networks of this machine. */
export function networkFacts(): NetworkFacts {
  return {
    interfaces: Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address, cidr }) => ({ name, address, prefix: Number(cidr?.split('/')[1] ?? 32) })),
    ),
    routes: textOf('/proc/net/route'),
    resolvers: new Resolver().getServers().filter(isIPv4),
  };
}

export function bootId(): string {
  return textOf('/proc/sys/kernel/random/boot_id').trim();
}

/** Whether another process serves a box under this number. */
export function servesBox(pid: number): boolean {
  return pid !== process.pid && textOf(`/proc/${pid}/cmdline`).includes('\0box\0serve\0');
}

/** Empty if the file cannot be read, as in a sandbox that hides it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
