import type { Containers } from '../core.ts';
import { joinedBox, locked } from './joined-box.ts';
import type { AddressPorts, Joined, OpenPort, PublicNames } from './ports.ts';

/**
 * Changes the published ports on disk, then opens exactly the open ones in a loaded packet filter. The packet filter is
 * changed even if the file cannot be written, and also if no row changes: an earlier attempt may have failed.
 */
export async function changeOpenPorts(
  { files, packetFilter }: Pick<AddressPorts, 'files' | 'packetFilter'>,
  box: Joined,
  change: (rows: readonly OpenPort[]) => readonly OpenPort[],
): Promise<readonly OpenPort[]> {
  return locked(files.openPorts, async () => {
    const before = files.openPorts.read();
    const after = change(before);
    const [written] = await Promise.allSettled([isSame(before, after) ? null : files.openPorts.write(after)]);
    await packetFilter.open(
      box,
      after.filter(isOpen).map(({ port }) => port),
    );
    if (written.status === 'rejected') throw written.reason;
    return after;
  });
}

export function isSame(one: readonly OpenPort[], other: readonly OpenPort[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the gateway may open connections to the port now. */
export function isOpen({ isClosed, shut }: OpenPort): boolean {
  return !isClosed && shut === null;
}

/** Closes the published ports of an app whose containers are about to change: another program could take a port. */
export function holdPorts(ports: AddressPorts, directory: string): Promise<void> {
  return changeRows(ports, ({ appDirectory }) => {
    if (ports.appDirectories.isRemoved(appDirectory)) return { isClosed: true };
    return ports.appDirectories.isSame(appDirectory, directory) ? { shut: 'changing' } : null;
  });
}

/**
 * Closes the published ports of an app until the next look at the containers opens them.
 * @param before - which ports: open ones, or those that a change of the app closed
 */
export function shutPorts(ports: AddressPorts, directory: string, before: null | 'changing'): Promise<void> {
  return changeRows(ports, ({ appDirectory, shut }) =>
    shut === before && ports.appDirectories.isSame(appDirectory, directory) ? { shut: 'unverified' } : null,
  );
}

/** @param changeOf - what changes of a row; `null` leaves it */
async function changeRows(ports: AddressPorts, changeOf: (row: OpenPort) => Partial<OpenPort> | null): Promise<void> {
  const { files } = ports;
  if (files.openPorts.read().every((row) => changeOf(row) === null)) return;
  await changeOpenPorts(ports, joinedBox(files), (rows) => rows.map((row) => ({ ...row, ...changeOf(row) })));
}

/** Holds the published ports of an app while Compose changes the app's containers. */
export function withHeldPorts(containers: Containers, addresses: Pick<PublicNames, 'hold' | 'release'>): Containers {
  const during = async <Result>(directory: string, change: () => Promise<Result>): Promise<Result> => {
    await addresses.hold(directory);
    try {
      return await change();
    } finally {
      await addresses.release(directory);
    }
  };
  return {
    ...containers,
    up: (project, ...rest) => during(project.directory, () => containers.up(project, ...rest)),
    down: (project, ...rest) => during(project.directory, () => containers.down(project, ...rest)),
  };
}
