/**
 * Where a published name leads. It belongs to a container port of an app: its port is open only while a container of
 * that app publishes it, and the name follows when the app moves to another port.
 */

import type { Container } from '../../engine/rules/container.ts';
import type { Access } from './route-access.ts';

/**
 * Why a port is closed although the name is kept: a change of the app is under way, no container of the app was seen at
 * the port, or its container runs without the port.
 */
export type Shut = 'changing' | 'unverified' | 'missing';

/** A port of this box that its owner published: the gateway may open connections to it. `id` is the route's. */
export type OpenPort = {
  id: string;
  host: string;
  port: number;
  /** The route is withdrawn once the app's directory is gone. `null` if the port belongs to no installed app. */
  appDirectory: string | null;
  /** The service and its port behind the published one. `null` if not known yet, or if the app is on the host's network. */
  service: string | null;
  containerPort: number | null;
  /** Whether the app is gone: the port is closed, and the route waits to be withdrawn. */
  isClosed: boolean;
  shut: Shut | null;
  /** The port at which the route is being published anew; `null` if it is not. */
  movesTo: number | null;
  /** Whether somebody else had taken the name when it was published anew. */
  isTaken: boolean;
  /** The access rules that the gateway got, for the next publication; absent if everybody may. */
  access?: Access;
};

export type Finding =
  /** The port may be open. */
  | { is: 'right'; service: string | null; containerPort: number | null }
  | { is: 'moved'; port: number }
  /** The app runs, but publishes the container port no more. */
  | { is: 'gone' }
  /** The port has to be closed, and the name is kept. */
  | { is: 'down' | 'local' | 'elsewhere' | 'unknown' };

/**
 * @param looked - the containers of all apps; `null` if Docker does not answer
 * @param boxAddress - the box's address in the tunnel
 */
export function findApp(row: OpenPort, looked: readonly Container[] | null, boxAddress: string): Finding {
  const { port, appDirectory, service, containerPort } = row;
  if (appDirectory === null) return { is: 'right', service, containerPort };
  if (looked === null) return { is: 'unknown' };
  const containers = looked.filter(({ oneOff }) => !oneOff).map(withTcpOnly);
  const running = containers.filter(({ state, workingDirectory }) => isUp(state) && workingDirectory === appDirectory);
  if (running.length === 0) return { is: 'down' };
  const isReachable = ({ address }: { address: string }) => ['', '0.0.0.0', boxAddress].includes(address);
  if (containerPort === null) {
    const [found] = running.flatMap((one) =>
      one.published
        .filter((binding) => binding.hostPort === port && isReachable(binding))
        .map((binding) => ({ service: one.service, containerPort: binding.containerPort })),
    );
    if (found !== undefined) return { is: 'right', ...found };
    if (running.some(({ published }) => published.some(({ hostPort }) => hostPort === port))) return { is: 'local' };
    const isHeld = containers.some(({ published }) => published.some(({ hostPort }) => hostPort === port));
    const isOnHost = running.some(({ isOnHostNetwork }) => isOnHostNetwork);
    return isOnHost && !isHeld ? { is: 'right', service: null, containerPort: null } : { is: 'elsewhere' };
  }
  const own = running.filter((one) => one.service === service);
  if (own.length === 0) return { is: 'down' };
  const bindings = own.flatMap(({ published }) => published.filter((one) => one.containerPort === containerPort));
  const ports = bindings.filter(isReachable).map(({ hostPort }) => hostPort);
  if (ports.includes(port)) return { is: 'right', service, containerPort };
  if (ports.length > 0) return { is: 'moved', port: Math.min(...ports) };
  return bindings.length > 0 ? { is: 'local' } : { is: 'gone' };
}

function withTcpOnly(one: Container): Container {
  return { ...one, published: one.published.filter(({ protocol }) => protocol === 'tcp') };
}

/** A paused container keeps its ports. */
function isUp(state: string): boolean {
  return state === 'running' || state === 'paused';
}

/** Empty for a port of no installed app. */
export function appName(directory: string | null): string {
  return (directory ?? '').replace(/^.*\//, '');
}

/** Why a name does not lead to its app, and what to do; `null` if it does. */
export function nameProblem(row: OpenPort, finding: Finding): string | null {
  const { host, port, appDirectory, service, containerPort, isClosed, shut, movesTo, isTaken } = row;
  const app = appName(appDirectory);
  const soon = 'boxgate tunnel heartbeat does it now';
  if (isTaken) return takenName(row);
  if (isClosed) return `${host} is to be withdrawn, because its app is gone; every heartbeat tries it`;
  if (shut === 'changing') return `${host} leads nowhere while ${app} is changed`;
  if (finding.is === 'moved') return `${host} leads nowhere until it follows ${app} to port ${finding.port}; ${soon}`;
  if (movesTo !== null) return `${host} leads nowhere until it follows ${app} to port ${movesTo}; ${soon}`;
  switch (finding.is) {
    case 'right':
      return shut === null ? null : `${host} leads nowhere until its port ${port} is opened again; ${soon}`;
    case 'gone':
      return `${host} is to be withdrawn, because ${app} does not publish port ${containerPort} of ${service} any more; the next heartbeats do it`;
    case 'down':
      return `${host} leads nowhere, because ${service === null ? app : `${service} of ${app}`} does not run; start it on the box's page`;
    case 'local':
      return `${host} leads nowhere, because ${app} publishes its port only on an address that the gateway does not reach; publish it on all addresses (boxgate box https setup opens it, if --close-ports closed it)`;
    case 'elsewhere':
      return `${host} leads nowhere, because ${app} does not publish port ${port}; boxgate tunnel unpublish ${host}, then publish ${app} again`;
    case 'unknown':
      return `${host} leads nowhere while Docker does not answer; start Docker`;
  }
}

/** Somebody else got the name between the withdrawal and the publication for the new port. */
export function takenName({ host, appDirectory, movesTo }: OpenPort): string {
  const app = appName(appDirectory);
  return `${host} could not follow ${app} to port ${movesTo}: somebody else has taken the name; boxgate tunnel unpublish ${host}, then publish ${app} under another name`;
}
