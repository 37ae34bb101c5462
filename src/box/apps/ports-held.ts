import type { BoxPorts, ContainerState } from '../ports.ts';
import type { Listing } from '../reconcile/listing.ts';
import { refuse } from '../refusals.ts';
import { projectName } from '../rules/compose/compose-file.ts';
import { overlap, type PortSpan } from '../rules/compose/port-span.ts';
import { type PortFault, type WantedPort, wantedPorts } from '../rules/compose/wanted-ports.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import type { Setting } from '../rules/manifest/manifest.ts';
import { plannedFacts } from './project.ts';
import { maskSecretsIn } from './secrets.ts';

/** An app as a change will leave it: the Compose files of `source`, and a `.env` with the text `after`. */
export type PlannedApp = { name: string; source: string; settings: readonly Setting[]; before: string; after: string };

/** Ports in use. `holder` names the program or container that uses a port; `null` if the port has become free. */
type Held = PortSpan & { holder: (port: number) => string | null };

/** Programs that listen on the ports of containers. */
const dockerPrograms = new Set(['docker-proxy', 'dockerd', 'rootlesskit']);

/**
 * Refuses a host port of the app that is not a valid port or is in use. Without a listing, because nothing will be
 * started, it only refuses invalid ports.
 * choice/box/287
 */
export async function refusePorts(box: BoxPorts, app: PlannedApp, listing: Listing | null): Promise<void> {
  const facts = await plannedFacts(box, app.name, app.source);
  if (facts === null) return;
  const env = readDotenv(app.after);
  const { ports, faults } = wantedPorts(facts, env);
  if (faults[0] !== undefined) refuseFault(box, app, faults[0]);
  if (listing === null || ports.length === 0) return;
  const { containers, isAnswered } = await listing;
  const project = projectName(facts, env, app.name);
  const directory = box.folders.path(app.name);
  const isOwn = (one: ContainerState) => one.project === project || one.workingDirectory === directory;
  const others = containers.filter((one) => !isOwn(one)).flatMap((one) => heldByContainer(box, one));
  refuseHeld(ports, others);
  refuseTwice(ports);
  const before = wantedPorts(facts, readDotenv(app.before)).ports;
  const own = containers.filter(isOwn).flatMap((one) => ownPorts(one, before));
  refuseHeld(ports, heldByPrograms(box, own, isAnswered));
}

function refuseFault(box: BoxPorts, { name, settings }: PlannedApp, { service, variable, value }: PortFault): never {
  const isSecret = variable !== null && secretKeys(settings)(variable);
  const shown = isSecret ? 'its value' : maskSecretsIn(box, JSON.stringify(value.slice(0, 80)), name);
  refuse('portInvalid', { where: variable ?? `service ${service}`, value: shown });
}

function refuseHeld(ports: readonly WantedPort[], held: readonly Held[]): void {
  for (const port of ports) {
    for (const taken of held.filter((one) => overlap(port, one))) {
      const number = Math.max(port.from, taken.from);
      const holder = taken.holder(number);
      if (holder !== null) refusePort(port, number, holder);
    }
  }
}

/** Refuses two services of the app, or two ports of one, that want the same host port. */
function refuseTwice(ports: readonly WantedPort[]): void {
  for (const [index, port] of ports.entries()) {
    const isSame = ({ service, target }: WantedPort) => service === port.service && target === port.target;
    const taken = ports.slice(0, index).find((one) => overlap(port, one) && !isSame(one));
    if (taken === undefined) continue;
    refusePort(port, Math.max(port.from, taken.from), `the service ${taken.service} of the same app`);
  }
}

function refusePort({ service, variable, protocol }: WantedPort, port: number, holder: string): never {
  const where = variable ?? `service ${service}`;
  refuse('portHeld', { where, port: protocol === 'tcp' ? String(port) : `${port}/${protocol}`, holder });
}

function heldByContainer(box: BoxPorts, { name, workingDirectory, published }: ContainerState): Held[] {
  const app = box.folders.list('installed').find(({ path }) => path === workingDirectory);
  // A Compose file can put a secret into a container's name.
  const holder = () => (app === undefined ? `the container ${maskSecretsIn(box, name, null)}` : `the app ${app.name}`);
  return published.map((span) => ({ ...span, holder }));
}

/**
 * The ports that a container of the app uses. Between two restarts it publishes none, and some container tools list
 * none. For such a container, the ports of its service in the previous `.env` count.
 */
function ownPorts({ service, state, published }: ContainerState, before: readonly WantedPort[]): PortSpan[] {
  if (published.length > 0) return published;
  const isUp = state === 'running' || state === 'restarting';
  return isUp ? before.filter((port) => port.service === service) : [];
}

/** While the containers are unknown, sockets of Docker may belong to the app itself. */
function heldByPrograms(box: BoxPorts, own: readonly PortSpan[], isAnswered: boolean): Held[] {
  const others = box.sockets.listening().filter((socket) => !own.some((span) => overlap(span, socket)));
  return others.map((socket) => ({
    ...socket,
    holder(port) {
      const program = box.sockets.program(socket.inode);
      if (program === null) return 'another program on this machine';
      if (program.isThisBox) return 'the box itself';
      if (!dockerPrograms.has(program.name)) return `the program ${program.name} (process ${program.pid})`;
      return isAnswered ? `a container of no app (docker ps --filter publish=${port} shows it)` : null;
    },
  }));
}
