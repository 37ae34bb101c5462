import type { BoxPorts, Picture } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { projectName } from '../rules/compose/compose-file.ts';
import { overlap, type PortSpan } from '../rules/compose/port-span.ts';
import { type PortFault, type WantedPort, wantedPorts } from '../rules/compose/wanted-ports.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import type { Setting } from '../rules/manifest/manifest.ts';
import type { Container } from '../rules/reconcile/container.ts';
import { plannedFacts } from './project.ts';
import { maskSecretsIn } from './secrets.ts';

/** An app as a change will leave it: the Compose files of `source`, and a `.env` with the text `after`. */
export type PlannedApp = { name: string; source: string; settings: readonly Setting[]; before: string; after: string };

/** Ports in use, and the program or container that uses them. */
type Held = PortSpan & { holder: string };

/**
 * Refuses a host port of the app that is not a valid port or is in use. While the containers are unknown, because
 * nothing will be started (`null`) or Docker does not answer, it only refuses invalid ports.
 * choice/box/287
 */
export async function refusePorts(box: BoxPorts, app: PlannedApp, picture: Picture | null): Promise<void> {
  const facts = await plannedFacts(box, app.name, app.source);
  if (facts === null) return;
  const env = readDotenv(app.after);
  const { ports, faults } = wantedPorts(facts, env);
  if (faults[0] !== undefined) refuseFault(box, app, faults[0]);
  if (picture === null || ports.length === 0) return;
  refuseTwice(ports);
  // A socket of Docker may belong to the app itself.
  if (picture.failure !== null) return;
  const project = projectName(facts, env, app.name);
  const directory = box.folders.path(app.name);
  const isOwn = (one: Container) => one.project === project || one.workingDirectory === directory;
  const others = picture.containers.filter((one) => !isOwn(one)).flatMap((one) => heldByContainer(box, one));
  refuseHeld(ports, others);
  const before = wantedPorts(facts, readDotenv(app.before)).ports;
  const own = picture.containers.filter(isOwn).flatMap((one) => ownPorts(one, before));
  refuseHeld(ports, heldByPrograms(box, own));
}

function refuseFault(box: BoxPorts, { name, settings }: PlannedApp, { service, variable, value }: PortFault): never {
  const isSecret = variable !== null && secretKeys(settings)(variable);
  const shown = isSecret ? 'its value' : maskSecretsIn(box, JSON.stringify(value.slice(0, 80)), name);
  refuse('portInvalid', { where: variable ?? `service ${service}`, value: shown });
}

function refuseHeld(ports: readonly WantedPort[], held: readonly Held[]): void {
  for (const port of ports) {
    for (const taken of held.filter((one) => overlap(port, one))) {
      refusePort(port, Math.max(port.from, taken.from), taken.holder);
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

function heldByContainer(box: BoxPorts, container: Container): Held[] {
  const app = box.folders.list('installed').find(({ path }) => path === container.workingDirectory);
  // A Compose file can put a secret into a container's name.
  const holder =
    app === undefined ? `the container ${maskSecretsIn(box, container.name, null)}` : `the app ${app.name}`;
  return spansOf(container).map((span) => ({ ...span, holder }));
}

function spansOf({ published }: Container): PortSpan[] {
  return published.map(({ protocol, address, hostPort }) => ({ protocol, address, from: hostPort, to: hostPort }));
}

/**
 * The ports that a container of the app uses. Between two restarts it publishes none, and some container tools list
 * none. For such a container, the ports of its service in the previous `.env` count.
 */
function ownPorts(container: Container, before: readonly WantedPort[]): PortSpan[] {
  if (container.published.length > 0) return spansOf(container);
  const isUp = container.state === 'running' || container.state === 'restarting';
  return isUp ? before.filter((port) => port.service === container.service) : [];
}

function heldByPrograms(box: BoxPorts, own: readonly PortSpan[]): Held[] {
  const others = box.sockets.listening().filter((socket) => !own.some((span) => overlap(span, socket)));
  return others.map((socket) => {
    return { ...socket, holder: socket.isThisBox ? 'the box itself' : 'another program on this machine' };
  });
}
