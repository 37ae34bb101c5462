import type { CommandResult } from '../../lib/command-result.ts';
import { places } from './setup.ts';
import { SetupFailed, type SetupPorts } from './setup-ports.ts';

/**
 * `gateway setup --remove`: takes back what setup has made, but the data. wg-easy stops first: without the packet filter
 * its boxes would reach this server's network.
 */
export async function takeBack(
  ports: Pick<SetupPorts, 'files' | 'compose' | 'removeSoftware'>,
): Promise<CommandResult> {
  try {
    if (ports.files.read(places.project) !== null) await ports.compose('down');
    const said = await ports.removeSoftware();
    // The variables stay: the next setup asks nothing.
    await ports.files.remove(places.project);
    // The script cannot know that these two are stopped.
    const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('wg-easy and Traefik go on'));
    return { status: 0, text: [...lines, kept].join('\n') };
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    return { status: 1, text: `${error.message}\nrun this again when that is done` };
  }
}

const kept =
  "the tunnels' keys and the certificates stay, too: docker volume rm boxgate-gateway-parts_wireguard boxgate-gateway-parts_acme";
