import type { Container } from '../engine/rules/container.ts';
import { changeJoined } from './joined-box.ts';
import { changeOpenPorts, isOpen, isSame } from './open-ports.ts';
import { type AddressPorts, type Joined, type OpenPort, TunnelProblem } from './ports.ts';
import { tunnelEnds } from './rules/firewall.ts';
import { type Finding, findApp, nameProblem } from './rules/published-app.ts';

/**
 * Opens the ports at which a container of the published app was seen, and closes all others. Notes which routes have to
 * be withdrawn or published anew. Does not ask the gateway.
 * @param confirms - whether an app that was missing at its port before, and still is, counts as gone. A container may lose
 * its ports for a moment, and a name that is withdrawn can be taken by somebody else
 */
export async function verifyPorts(ports: AddressPorts, box: Joined, { confirms = false } = {}) {
  for (;;) {
    const seen = ports.files.openPorts.read();
    if (seen.length === 0) return seen;
    const containers = await containersFor(ports, seen);
    const isChanging = seen.some(({ shut }) => shut === 'changing') && (await ports.isChanging());
    // The running box closes ports itself if Docker does not answer. Another process may just not reach Docker.
    const isLeft = containers === null && (await ports.isBoxRunning());
    const verified = (row: OpenPort): OpenPort => {
      if (ports.appDirectories.isRemoved(row.appDirectory)) return { ...row, isClosed: true };
      const isKept = row.isClosed || (row.shut === 'changing' && isChanging) || (isLeft && row.appDirectory !== null);
      if (isKept) return row;
      const finding = findApp(row, containers, box.address);
      const isGone = finding.is === 'gone' && row.shut === 'missing' && confirms;
      return isGone ? { ...row, isClosed: true } : rowAsFound(row, finding);
    };
    // A change of an app may have closed its port since the look at the containers.
    let isStale = false;
    const rows = await changeOpenPorts(ports, box, (now) => {
      isStale = !isSame(now, seen);
      return isStale ? now : now.map(verified);
    });
    if (!isStale) return rows;
  }
}

function rowAsFound(row: OpenPort, finding: Finding): OpenPort {
  if (finding.is === 'gone') return { ...row, shut: 'missing' };
  if (finding.is === 'moved') return { ...row, shut: 'unverified', movesTo: finding.port };
  if (finding.is !== 'right') return { ...row, shut: 'unverified' };
  const { service, containerPort } = finding;
  // The app is back at its port while its route is published anew for another one.
  if (row.movesTo !== null) return { ...row, shut: 'unverified', movesTo: row.port };
  return { ...row, service, containerPort, shut: null };
}

/** An app's directory may have another path in the labels of its containers: the folder of all apps was moved and linked. */
async function containersFor(ports: AddressPorts, rows: readonly OpenPort[]): Promise<readonly Container[] | null> {
  const apps = rows.map(({ appDirectory }) => appDirectory).filter((directory) => directory !== null);
  if (apps.length === 0) return [];
  const containers = await ports.containers();
  if (containers === null) return null;
  return containers.map((one) => {
    const own = apps.find((app) => ports.appDirectories.isSame(app, one.workingDirectory));
    return own === undefined ? one : { ...one, workingDirectory: own };
  });
}

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

/** Why published names do not lead to their apps, by the route's id. */
export async function nameProblems(ports: AddressPorts, box: Joined): Promise<Map<string, string>> {
  const rows = ports.files.openPorts.read();
  const containers = await containersFor(ports, rows);
  const problems = rows.map((row) => [row.id, nameProblem(row, findApp(row, containers, box.address))] as const);
  return new Map(problems.filter((entry): entry is [string, string] => entry[1] !== null));
}
