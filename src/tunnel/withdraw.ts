import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type GatewayClient, GatewayRefused } from '../client/gateway-client.ts';
import { setOpenPorts } from './firewall.ts';
import type { OpenPort } from './open-ports.ts';
import { joinedBox, locked, type TunnelPorts } from './tunnel.ts';
import type { Joined } from './tunnel-files.ts';

/**
 * Withdraws the routes of apps whose directory is gone. Closes their ports first. A row of `tunnel-ports.json` stays,
 * marked as closed, until the packet filter and the gateway have both succeeded, so that the next call retries.
 * @returns the hosts that are not published any more; throws the first failure after everything was tried
 */
export async function withdrawRemoved(ports: TunnelPorts): Promise<string[]> {
  const { files } = ports;
  // Checked without the lock first, because usually nothing has to be done.
  if (files.read()?.state !== 'joined' || !files.openPorts.read().some(isDue)) return [];
  return locked(files, async () => {
    const box = joinedBox(files);
    const rows = files.openPorts.read().map((row) => (isDue(row) ? { ...row, isClosed: true } : row));
    const due = rows.filter(({ isClosed }) => isClosed);
    const closed = await Promise.allSettled([setOpenPorts(ports, box, rows)]);
    const client = ports.client(box.gateway);
    const withdrawn = await Promise.allSettled(due.map((row) => withdraw(client, box, row)));
    const failure = [...closed, ...withdrawn].find((outcome) => outcome.status === 'rejected');
    const isClosed = closed.every(({ status }) => status === 'fulfilled');
    const done = due.filter((_row, i) => isClosed && withdrawn[i]?.status === 'fulfilled');
    await files.openPorts.write(rows.filter((row) => !done.includes(row)));
    if (failure !== undefined) throw failure.reason;
    return done.map(({ host }) => host);
  });
}

/**
 * If the parent directory is missing too, the disk of the apps is probably not mounted, so the app does not count as
 * removed.
 */
function isDue({ appDirectory, isClosed }: OpenPort): boolean {
  if (isClosed) return true;
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

async function withdraw(client: GatewayClient, box: Joined, { id }: OpenPort): Promise<void> {
  try {
    await client.unpublish(box, id);
  } catch (error) {
    if (!(error instanceof GatewayRefused) || error.status !== 404) throw error; // The route is gone already.
  }
}
