import type { OpenPort } from './adapters/open-ports.ts';
import { changeOpenPorts } from './firewall.ts';
import { joinedBox, type TunnelPorts } from './tunnel.ts';
import { isRemoved, isSameDirectory } from './verify-ports.ts';

/**
 * Closes the published ports of an app whose containers are about to change, so that the program that takes such a port
 * meanwhile is not public.
 */
export async function holdPorts(ports: TunnelPorts, directory: string): Promise<void> {
  const { files } = ports;
  if (!files.openPorts.read().some((row) => isSameDirectory(row.appDirectory, directory) || isRemoved(row))) return;
  await changeOpenPorts(ports, joinedBox(files), (rows) =>
    rows.map((row) => {
      if (isRemoved(row)) return { ...row, isClosed: true };
      return isSameDirectory(row.appDirectory, directory) ? { ...row, shut: 'changing' } : row;
    }),
  );
}

/** The change is over: the next look at the containers opens the ports. */
export async function releasePorts(ports: TunnelPorts, directory: string): Promise<void> {
  const { files } = ports;
  const isHeld = files.openPorts
    .read()
    .some((row) => isSameDirectory(row.appDirectory, directory) && row.shut === 'changing');
  if (!isHeld) return;
  await changeOpenPorts(ports, joinedBox(files), (rows) =>
    rows.map((row) =>
      isSameDirectory(row.appDirectory, directory) && row.shut === 'changing' ? { ...row, shut: 'unverified' } : row,
    ),
  );
}

/** Closes the published ports of an app until the next look at the containers. */
export async function shutPorts(ports: TunnelPorts, directory: string): Promise<void> {
  const { files } = ports;
  const isMeant = (row: OpenPort) => isSameDirectory(row.appDirectory, directory) && row.shut === null;
  if (!files.openPorts.read().some(isMeant)) return;
  await changeOpenPorts(ports, joinedBox(files), (rows) =>
    rows.map((row) => (isMeant(row) ? { ...row, shut: 'unverified' } : row)),
  );
}
