import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { adminEnv } from '../../lib/admin-env.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { OpenPort } from './adapters/open-ports.ts';
import type { Joined } from './adapters/tunnel-files.ts';
import { hasRules, lookForRules, publishedPorts, tableRemoved } from './rules/firewall.ts';
import { type PacketFilter, type TunnelPorts, TunnelProblem } from './tunnel.ts';

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
 * Changes the published ports on disk, then opens exactly the open ones in a loaded packet filter. The packet filter is
 * changed even if the file cannot be written, and also if no row changes: an earlier attempt may have failed.
 */
export async function changeOpenPorts(
  { files, packetFilter }: Pick<TunnelPorts, 'files' | 'packetFilter'>,
  box: Joined,
  change: (rows: OpenPort[]) => OpenPort[],
): Promise<OpenPort[]> {
  const lock = await files.openPorts.lock();
  try {
    const before = files.openPorts.read();
    const after = change(before);
    const writing = isDeepStrictEqual(before, after) ? null : files.openPorts.write(after);
    const [written] = await Promise.allSettled([writing]);
    await showOpenPorts(packetFilter, box, after);
    if (written.status === 'rejected') throw written.reason;
    return after;
  } finally {
    lock.release();
  }
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
export function setOf({ gateway, boxId }: Joined): string {
  return `published_${createHash('sha256').update(`${gateway}\n${boxId}`).digest('hex').slice(0, 16)}`;
}

/** Whether the gateway may open connections to the port now. */
export function isOpen({ isClosed, shut }: OpenPort): boolean {
  return !isClosed && shut === null;
}

function numbersOf(open: readonly OpenPort[]): number[] {
  return open.filter(isOpen).map(({ port }) => port);
}
