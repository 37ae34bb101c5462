import { createHash } from 'node:crypto';
import { adminEnv } from '../lib/admin-env.ts';
import { CommandFailed, runCommand } from '../lib/process/run-command.ts';
import type { OpenPort } from './open-ports.ts';
import { firewallRules, hasRules, lookForRules, publishedPorts, tableRemoved, tunnelEnds } from './rules/firewall.ts';
import { joinedBox, locked, type PacketFilter, type TunnelPorts, TunnelProblem } from './tunnel.ts';
import type { Joined } from './tunnel-files.ts';

const timeoutMs = 20_000;

/** ENOENT; EPERM; EPROTONOSUPPORT, EOPNOTSUPP and EAFNOSUPPORT of a kernel without nf_tables. */
const noTable = /No such file or directory|Operation not permitted|(?:Protocol|Operation|Address family) not supported/;

/** @param program - `nft`, or its fake in a test */
export function makePacketFilter(program = 'nft'): PacketFilter {
  return {
    async apply(transaction) {
      try {
        return (await runCommand([program, '-f', '-'], { stdin: transaction, env: adminEnv, timeoutMs })).stdout;
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        if (noTable.test(error.stderrTail)) return null;
        throw error.notFound ? new PacketFilterMissing() : error;
      }
    },
  };
}

/** There is no `nft` on this machine. */
export class PacketFilterMissing extends Error {
  override readonly name = 'PacketFilterMissing';

  constructor() {
    super('nft is not installed: install the package nftables');
  }
}

/**
 * Loads the packet filter of the tunnel. Throws if it cannot be loaded: then the tunnel must not come up, because the
 * gateway would reach every port of this box.
 */
export function loadFirewall({ files, packetFilter }: TunnelPorts): Promise<OpenPort[]> {
  return locked(files, async () => {
    const box = joinedBox(files);
    const ends = tunnelEnds(files.readConfig());
    if (ends === null) {
      throw new TunnelProblem(
        `${files.configFile}: expected one Address and one AllowedIPs, both an IPv4 address with /32, as boxgate tunnel join wrote them`,
      );
    }
    const open = files.openPorts.read();
    const loaded = await packetFilter.apply(firewallRules(ends, { set: setOf(box), ports: numbersOf(open) }));
    if (loaded === null) {
      throw new TunnelProblem(
        'nft cannot load the packet filter of the tunnel: run this as root, on a kernel with nf_tables',
      );
    }
    return open.filter(({ isClosed }) => !isClosed);
  });
}

/**
 * Writes the published ports to disk, then opens exactly these ports in a loaded packet filter.
 * Callers hold the tunnel's lock.
 */
export async function setOpenPorts(
  { files, packetFilter }: Pick<TunnelPorts, 'files' | 'packetFilter'>,
  box: Joined,
  open: readonly OpenPort[],
): Promise<void> {
  await files.openPorts.write(open);
  await showOpenPorts(packetFilter, box, open);
}

/**
 * Without a loaded packet filter there is no tunnel, so nothing has to be done. A packet filter of another
 * registration (another state directory) on this machine stays unchanged.
 */
export function showOpenPorts(packetFilter: PacketFilter, box: Joined, open: readonly OpenPort[]): Promise<void> {
  return changeLoaded(packetFilter, publishedPorts(setOf(box), numbersOf(open)));
}

/** Removes the packet filter from the kernel, unless another registration loaded it. */
export function removeFirewall(packetFilter: PacketFilter, box: Joined): Promise<void> {
  return changeLoaded(packetFilter, tableRemoved(setOf(box)));
}

async function changeLoaded(packetFilter: PacketFilter, transaction: string): Promise<void> {
  try {
    await packetFilter.apply(transaction);
  } catch (error) {
    if (error instanceof PacketFilterMissing) return;
    throw new TunnelProblem(`the tunnel's packet filter was not changed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Whether the packet filter of this registration is loaded; `false` if that cannot be seen. */
export async function isFirewallLoaded(packetFilter: PacketFilter, box: Joined): Promise<boolean> {
  const printed = await packetFilter.apply(lookForRules(setOf(box))).catch(() => null);
  return printed !== null && hasRules(printed);
}

/** Name of the set of published ports in the packet filter, one for each registration. */
function setOf({ gateway, boxId }: Joined): string {
  return `published_${createHash('sha256').update(`${gateway}\n${boxId}`).digest('hex').slice(0, 16)}`;
}

function numbersOf(open: readonly OpenPort[]): number[] {
  return open.filter(({ isClosed }) => !isClosed).map(({ port }) => port);
}
