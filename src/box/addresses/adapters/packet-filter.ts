import { createHash } from 'node:crypto';
import { adminEnv } from '../../../lib/admin-env.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { type Joined, type PacketFilter, TunnelProblem } from '../ports.ts';
import { firewallRules, hasRules, lookForRules, publishedPorts, tableRemoved } from '../rules/firewall.ts';

const timeoutMs = 20_000;

/** ENOENT; EPERM; EPROTONOSUPPORT, EOPNOTSUPP and EAFNOSUPPORT of a kernel without nf_tables. */
const noTable = /No such file or directory|Operation not permitted|(?:Protocol|Operation|Address family) not supported/;

class NftMissing extends Error {}

/**
 * Carries out one transaction, and returns what nft printed; `null` if the table is not there, this user may see none
 * (only root can have made one), or the kernel has no nf_tables.
 */
export type Apply = (transaction: string) => Promise<string | null>;

/** @param program - `nft`, or its fake in a test */
export function makeApply(program: string): Apply {
  return async (transaction) => {
    try {
      return (await runCommand([program, '-f', '-'], { stdin: transaction, env: adminEnv, timeoutMs })).stdout;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (noTable.test(error.stderrTail)) return null;
      throw error.notFound ? new NftMissing('nft is not installed: install the package nftables') : error;
    }
  };
}

export function makePacketFilter(apply = makeApply('nft')): PacketFilter {
  const change = async (transaction: string) => {
    try {
      await apply(transaction);
    } catch (error) {
      if (error instanceof NftMissing) return;
      const text = `the tunnel's packet filter was not changed: ${(error as Error).message}`;
      throw new TunnelProblem(text, { cause: error });
    }
  };
  return {
    load: async (box, ends, ports) => (await apply(firewallRules(ends, { set: setOf(box), ports }))) !== null,
    open: (box, ports) => change(publishedPorts(setOf(box), ports)),
    remove: (box) => change(tableRemoved(setOf(box))),
    isLoaded: async (box) => hasRules((await apply(lookForRules(setOf(box))).catch(() => null)) ?? ''),
  };
}

/** Name of the set of published ports in the packet filter, one for each registration. */
function setOf({ gateway, boxId }: Joined): string {
  return `published_${createHash('sha256').update(`${gateway}\n${boxId}`).digest('hex').slice(0, 16)}`;
}
