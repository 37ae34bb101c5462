import { isOfSnap, ofSnap } from '../../../lib/docker-of-snap.ts';
import { type Listener, type Part, portProblems } from './listeners.ts';
import { packetFilterNotes } from './packet-filter.ts';
import { type InterfaceAddress, interfaceProblems } from './tunnel-network.ts';
import { ufwReport } from './ufw.ts';

/** A version is null, and a folder or an output is empty, where the program does not answer or is missing. */
export type MachineFacts = {
  hasSystemd: boolean;
  /** Which of the needed programs are not on PATH. */
  missingPrograms: readonly string[];
  engine: string | null;
  /** The folder of Docker's data. */
  dataFolder: string;
  compose: string | null;
  hasWireguard: boolean;
  listeners: readonly Listener[];
  /** The gateway's own parts that run now. */
  running: ReadonlySet<Part>;
  /** The output of `ufw status`. */
  ufw: string;
  /** The output of `nft list ruleset`. */
  packetFilter: string;
  addresses: readonly InterfaceAddress[];
  /** Whether another program than wg-easy has made an interface of the name that wg-easy's has. */
  hasForeignWg0: boolean;
  freeBytes: number;
  memoryBytes: number;
  /** By how much the clock of the certificate authority is ahead of this one, or why it does not answer. */
  authority: { aheadMs: number } | { problem: string };
};

const mebibyte = 2 ** 20;
const leastDisk = 1024 * mebibyte;
const leastMemory = 450 * mebibyte;
const mostClockMs = 5 * 60_000;

const packages: Readonly<Record<string, string>> = { nft: 'nftables', flock: 'util-linux', ss: 'iproute2' };

/** One sentence for each thing that keeps a gateway from running here, and notes on what cannot be known. */
export function machineReport(facts: MachineFacts, tunnelNetwork: string): { problems: string[]; notes: string[] } {
  const ufw = ufwReport(facts.ufw);
  return {
    problems: [
      ...(facts.hasSystemd ? [] : ['systemd does not run here, and the gateway is a service of it']),
      ...facts.missingPrograms.map((name) => `there is no ${name}: apt install ${packages[name] ?? name}`),
      ...dockerProblems(facts),
      ...(facts.hasWireguard
        ? []
        : [
            'this kernel has no WireGuard (modinfo wireguard), which wg-easy needs: use a server with a kernel of its own, 5.6 or newer',
          ]),
      ...portProblems(facts.listeners, facts.running),
      ...interfaceProblems(facts.addresses, facts.hasForeignWg0, tunnelNetwork),
      ...ufw.problems,
      ...(facts.freeBytes >= leastDisk
        ? []
        : [`the disk has ${Math.floor(facts.freeBytes / mebibyte)} MiB left, and setup needs 1 GiB`]),
      ...authorityProblems(facts.authority),
    ],
    notes: [
      ...(facts.memoryBytes >= leastMemory
        ? []
        : [`this server has ${Math.floor(facts.memoryBytes / mebibyte)} MiB of memory: 512 MiB or more are better`]),
      // ufw has made its own rules of the packet filter.
      ...(facts.ufw.startsWith('Status: active') ? ufw.notes : packetFilterNotes(facts.packetFilter)),
      'a firewall of your provider cannot be seen from here: it has to let 80/tcp, 443/tcp and 51820/udp in',
    ],
  };
}

function dockerProblems({ engine, dataFolder, compose }: MachineFacts): string[] {
  const how = 'https://docs.docker.com/engine/install/ says how';
  if (engine === null) return [`Docker Engine does not answer (docker version): install and start it, ${how}`];
  if (isOfSnap(dataFolder)) return [ofSnap];
  if (isOlder(engine, [20, 10])) return [`Docker Engine is ${engine}, and 20.10 or newer is needed: ${how}`];
  if (compose === null || isOlder(compose, [2, 0])) {
    return [`Docker's Compose plugin is missing or older than 2 (docker compose version): ${how}`];
  }
  return [];
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, first = '', second = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  // A version of another form is left to what follows.
  return first !== '' && (Number(first) < major || (Number(first) === major && Number(second) < minor));
}

function authorityProblems(authority: MachineFacts['authority']): string[] {
  if ('problem' in authority) {
    return [`the certificate authority is not reached: ${authority.problem}`];
  }
  const { aheadMs } = authority;
  if (Math.abs(aheadMs) <= mostClockMs) return [];
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return [
    `the clock of this server is ${minutes} minutes ${aheadMs > 0 ? 'behind' : 'ahead'}: timedatectl set-ntp true`,
  ];
}
