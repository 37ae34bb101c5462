import { existsSync } from 'node:fs';
import { adminEnv } from '../../lib/admin-env.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { FirewallState } from '../doctor/rules/tunnel-firewall.ts';

const onThisMachine = { wgEasyInterface: '/sys/class/net/wg0', program: 'nft' };

const timeoutMs = 20_000;

/**
 * Whether the rules of `deploy/gateway/firewall.nft` are loaded in the kernel. Only root can read them. If nft is missing
 * or fails for another reason, the rules count as missing.
 */
export async function tunnelFirewall({ wgEasyInterface, program } = onThisMachine): Promise<FirewallState> {
  if (!existsSync(wgEasyInterface)) return 'elsewhere';
  try {
    const argv = [program, 'list', 'chain', 'inet', 'boxgate_gateway', 'from_boxes'];
    const { stdout } = await runCommand(argv, { env: adminEnv, timeoutMs });
    // A flush of the table leaves an empty chain.
    return /^[\t ]*drop$/m.test(stdout) ? 'loaded' : 'missing';
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return /Operation not permitted/.test(error.stderrTail) ? 'hidden' : 'missing';
  }
}
