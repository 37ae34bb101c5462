import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenPort } from './adapters/open-ports.ts';
import type { Joined } from './adapters/tunnel-files.ts';
import { changeOpenPorts } from './firewall.ts';
import { type AppContainer, type Finding, findApp, nameProblem } from './rules/published-app.ts';
import type { TunnelPorts } from './tunnel.ts';

/**
 * Opens the ports at which a container of the published app was seen, and closes all others. Notes which routes have to
 * be withdrawn or published anew. Does not ask the gateway.
 * @param confirms - whether an app that was missing at its port before, and still is, counts as gone. A container may lose
 * its ports for a moment, and a name that is withdrawn can be taken by somebody else
 */
export async function verifyPorts(ports: TunnelPorts, box: Joined, { confirms = false } = {}): Promise<OpenPort[]> {
  for (;;) {
    const seen = ports.files.openPorts.read();
    if (seen.length === 0) return seen;
    const containers = await containersFor(ports, seen);
    const isChanging = seen.some(({ shut }) => shut === 'changing') && (await ports.isChanging());
    // The running box closes ports itself if Docker does not answer. Another process may just not reach Docker.
    const isLeft = containers === null && ports.isBoxRunning();
    const verified = (row: OpenPort): OpenPort => {
      if (isRemoved(row)) return { ...row, isClosed: true };
      const isKept = row.isClosed || (row.shut === 'changing' && isChanging) || (isLeft && row.appDirectory !== null);
      if (isKept) return row;
      const finding = findApp(row, containers, box.address);
      const isGone = finding.is === 'gone' && row.shut === 'missing' && confirms;
      return isGone ? { ...row, isClosed: true } : rowAsFound(row, finding);
    };
    // A change of an app may have closed its port since the look at the containers.
    let isStale = false;
    const rows = await changeOpenPorts(ports, box, (now) => {
      isStale = !isDeepStrictEqual(now, seen);
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

async function containersFor(ports: TunnelPorts, rows: readonly OpenPort[]): Promise<AppContainer[] | null> {
  const apps = rows.map(({ appDirectory }) => appDirectory).filter((directory) => directory !== null);
  if (apps.length === 0) return [];
  const containers = await ports.containers();
  if (containers === null) return null;
  return containers.map((one) => {
    const directory = apps.find((app) => isSameDirectory(app, one.directory)) ?? one.directory;
    return { ...one, directory };
  });
}

/** An app's directory may have another path in the labels of its containers: the folder of all apps was moved and linked. */
export function isSameDirectory(one: string | null, other: string): boolean {
  if (one === null || one === other) return one !== null;
  try {
    const [left, right] = [statSync(one), statSync(other)];
    return left.dev === right.dev && left.ino === right.ino;
  } catch {
    return false;
  }
}

/** Why published names do not lead to their apps, by the route's id. */
export async function nameProblems(ports: TunnelPorts, box: Joined): Promise<Map<string, string>> {
  const rows = ports.files.openPorts.read();
  const containers = await containersFor(ports, rows);
  const problems = rows.map((row) => [row.id, nameProblem(row, findApp(row, containers, box.address))] as const);
  return new Map(problems.filter((entry): entry is [string, string] => entry[1] !== null));
}

/**
 * Whether the app's directory is gone. If the parent directory is missing too, the disk of the apps is probably not
 * mounted, so the app does not count as removed.
 */
export function isRemoved({ appDirectory }: OpenPort): boolean {
  return appDirectory !== null && isMissing(appDirectory) && existsSync(dirname(appDirectory));
}

/**
 * Whether a path does not exist. `false` if it cannot be inspected: the heartbeat's unit cannot read other users'
 * folders.
 */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
