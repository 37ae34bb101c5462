import { type GatewayClient, GatewayRefused, type Route } from '../../client/gateway-client.ts';
import { changeJoined, joinedBox } from './joined-box.ts';
import { changeOpenPorts } from './open-ports.ts';
import type { AddressPorts, Joined, OpenPort } from './ports.ts';
import { appName, takenName } from './rules/published-app.ts';
import { hasAccess } from './rules/route-access.ts';
import { verifyPorts } from './verify-ports.ts';

export type Followed = {
  /** Hosts that are not published any more. */
  withdrawn: string[];
  moved: { host: string; port: number }[];
  /** A sentence for each host: what happened, and what to do. */
  lines: string[];
};

/**
 * Opens and closes ports as their apps publish them now, withdraws the routes of apps that are gone, and publishes routes
 * anew for apps that moved to another port. Notes each step in `tunnel-ports.json` before the gateway is
 * asked, so that the next call carries on. Throws the first failure after everything was tried.
 * @param retries - whether to try again what an earlier call noted; the heartbeat does
 */
export async function followApps(ports: AddressPorts, { retries = true } = {}): Promise<Followed> {
  const { files } = ports;
  const found: Followed = { withdrawn: [], moved: [], lines: [] };
  const before = files.openPorts.read();
  if (before.length === 0 || files.read()?.state !== 'joined') return found;
  const isRemoved = ({ appDirectory }: OpenPort) => ports.appDirectories.isRemoved(appDirectory);
  const isGone = (row: OpenPort) => row.isClosed || isRemoved(row);
  /** The same text while the same thing has to be done. */
  const workOf = (row: OpenPort) => `${row.id} ${row.movesTo} ${isGone(row)}`;
  const known = retries ? [] : before.map(workOf);
  const isDue = (row: OpenPort) => (row.movesTo !== null || isGone(row)) && !known.includes(workOf(row));
  const [verified] = await Promise.allSettled([verifyPorts(ports, joinedBox(files), { confirms: retries })]);
  const isVerified = verified.status === 'fulfilled';
  if (!files.openPorts.read().some(isDue)) {
    if (!isVerified) throw verified.reason;
    return found;
  }
  return changeJoined(ports, async (box) => {
    const client = ports.client(box.gateway);
    const due = files.openPorts.read().filter(isDue);
    const outcomes = await Promise.allSettled(due.map((row) => (isGone(row) ? withdraw : move)(client, box, row)));
    const results = new Map<string, OpenPort | null>();
    for (const [index, { id }] of due.entries()) {
      const outcome = outcomes[index];
      // The row of a port that may still be open stays.
      const isDone = outcome?.status === 'fulfilled' && (isVerified || outcome.value !== null);
      if (isDone) results.set(id, outcome.value);
    }
    await changeOpenPorts(ports, box, (rows) =>
      rows.map((row) => (results.has(row.id) ? (results.get(row.id) ?? null) : row)).filter((row) => row !== null),
    );
    if (isVerified) await verifyPorts(ports, box);
    const failed = [verified, ...outcomes].find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    for (const row of due) {
      const now = results.get(row.id) ?? null;
      if (now === null) found.withdrawn.push(row.host);
      else if (!now.isTaken) found.moved.push({ host: row.host, port: now.port });
      found.lines.push(lineOf(row, now, isGone(row), isRemoved(row)));
    }
    return found;
  });
}

function lineOf({ host, appDirectory }: OpenPort, now: OpenPort | null, isGone: boolean, isRemoved: boolean): string {
  const app = appName(appDirectory);
  if (now?.isTaken) return takenName(now);
  if (now !== null) return `${host} leads to port ${now.port} of this box now, as ${app} does`;
  const why = isRemoved
    ? 'its app was removed'
    : isGone
      ? `${app} does not publish its port any more`
      : 'the gateway does not know its access rules any more';
  return `${host} is not published any more: ${why}`;
}

/** @returns `null`: the row is done with */
async function withdraw(client: GatewayClient, box: Joined, row: OpenPort): Promise<null> {
  // A publication for another port whose answer was lost has another id.
  const routes = row.movesTo === null ? [] : await client.listRoutes(box);
  const ids = routes.filter(({ host }) => host === row.host).map(({ id }) => id);
  for (const id of new Set([row.id, ...ids])) await unpublishUnlessGone(client, box, id);
  return null;
}

/**
 * Publishes the route, with its access rules, for the port to which its app moved. The gateway takes a name again only
 * after a withdrawal.
 * @returns `null` if the gateway does not know the access rules: the route is withdrawn
 */
async function move(client: GatewayClient, box: Joined, row: OpenPort): Promise<OpenPort | null> {
  const { host, appDirectory, access } = row;
  const port = row.movesTo ?? row.port;
  const routes = await client.listRoutes(box);
  // The gateway may have got another domain since. A publication whose answer was lost has another id.
  const present = routes.find(({ id }) => id === row.id) ?? routes.find((route) => route.host === host);
  const subdomain = present?.subdomain ?? host.split('.', 1).join();
  const done = ({ id, host }: Route): OpenPort => ({
    ...{ ...row, id, host, port },
    ...{ shut: 'unverified', movesTo: null, isTaken: false },
  });
  if (present?.port === port && hasAccess(present, access)) return done(present);
  if (present !== undefined) await unpublishUnlessGone(client, box, present.id);
  try {
    const route = await client.publish(box, {
      app_name: appName(appDirectory),
      subdomain,
      port,
      ...(access === undefined ? {} : { access }),
    });
    if (hasAccess(route, access)) return done(route);
    await unpublishUnlessGone(client, box, route.id);
    return null;
  } catch (error) {
    if (error instanceof GatewayRefused && error.status === 409) return { ...row, isTaken: true };
    throw error;
  }
}

async function unpublishUnlessGone(client: GatewayClient, box: Joined, id: string): Promise<void> {
  try {
    await client.unpublish(box, id);
  } catch (error) {
    if (!(error instanceof GatewayRefused) || error.status !== 404) throw error;
  }
}

/** Tells the gateway that the box is alive, then lets the published names follow their apps, also if that failed. */
export async function heartbeat(ports: AddressPorts): Promise<{ boxId: string } & Followed> {
  const box = joinedBox(ports.files);
  const [told] = await Promise.allSettled([ports.client(box.gateway).heartbeat(box, ports.bootId())]);
  const followed = await followApps(ports);
  if (told.status === 'rejected') throw told.reason;
  return { boxId: box.boxId, ...followed };
}
