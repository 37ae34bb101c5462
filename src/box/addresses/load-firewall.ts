import { changeJoined } from './joined-box.ts';
import { isOpen } from './open-ports.ts';
import { type AddressPorts, type OpenPort, TunnelProblem } from './ports.ts';
import { tunnelEnds } from './rules/firewall.ts';
import { verifyPorts } from './verify-ports.ts';

/**
 * Loads the packet filter of the tunnel, with the ports at which their apps were seen. Throws if it cannot be loaded:
 * then the tunnel must not come up, because the gateway would reach every port of this box.
 */
export function loadFirewall(ports: AddressPorts): Promise<OpenPort[]> {
  const { files, packetFilter } = ports;
  return changeJoined(ports, async (box) => {
    const ends = tunnelEnds(files.readConfig());
    if (ends === null) {
      throw new TunnelProblem(
        `${files.configFile}: expected one Address and one AllowedIPs, both an IPv4 address with /32, as boxgate tunnel join wrote them`,
      );
    }
    files.openPorts.read();
    // On a full disk the tunnel comes up all the same, without the ports of apps.
    const [verified] = await Promise.allSettled([verifyPorts(ports, box)]);
    const isKnown = verified.status === 'fulfilled';
    // The tunnel's unit may make no file in a state directory elsewhere. Only `publish` adds the first row, and it has to
    // wait for this function, so no lock is needed before.
    const lock = files.openPorts.read().length === 0 ? null : await files.openPorts.lock();
    try {
      const open = files.openPorts.read().filter((row) => isOpen(row) && (isKnown || row.appDirectory === null));
      const numbers = open.map(({ port }) => port);
      if (await packetFilter.load(box, ends, numbers)) return open;
    } finally {
      lock?.release();
    }
    throw new TunnelProblem(
      'nft cannot load the packet filter of the tunnel: run this as root, on a kernel with nf_tables',
    );
  });
}
