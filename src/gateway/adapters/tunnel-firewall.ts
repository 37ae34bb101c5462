import { existsSync } from 'node:fs';
import { adminEnv } from '../../lib/admin-env.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { FirewallState } from '../doctor/rules/tunnel-firewall.ts';

const onThisMachine = { wgEasyInterface: '/sys/class/net/wg0', program: 'nft' };

const timeoutMs = 20_000;

/** Whether deploy/gateway/firewall.nft is loaded, which only root can see; missing also if nft cannot be run. */
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
