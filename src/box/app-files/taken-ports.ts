import { refuse } from '../api/refusals.ts';
import type { Core, Picture } from '../core.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { Container } from '../engine/rules/container.ts';
import { overlap, type PortSpan } from '../rules/compose/port-span.ts';
import type { WantedPort as ModelPort, ProjectModel } from '../rules/compose/project-model.ts';
import type { Project } from './project.ts';
import { maskSecretsIn } from './secrets.ts';

/** An app's project as a change will leave it, and the ports that its services wanted before. */
type PlannedApp = { name: string; project: Project; before: readonly WantedPort[] };

export type WantedPort = ModelPort & { service: string };

type Taken = PortSpan & { holder: string };

/**
 * Refuses a host port of the app that is not a valid port or is in use. While the containers are unknown, because
 * nothing will be started (`null`) or Docker does not answer, it only refuses invalid ports. choice/box/287
 */
export function refusePorts(box: EngineBox, { name, project, before }: PlannedApp, picture: Picture | null): void {
  if (project.problem !== null) refuseInvalid(project, project.problem);
  const ports = portsOfServices(project.model);
  if (picture === null || ports.length === 0) return;
  refuseTwice(project, ports);
  // A socket of Docker may belong to the app itself.
  if (picture.failure !== null) return;
  const directory = box.folders.path(name);
  const isOwn = (one: Container) => one.project === project.model.name || one.workingDirectory === directory;
  const others = picture.containers.filter((one) => !isOwn(one)).flatMap((one) => takenByContainer(box, one));
  refuseTaken(project, ports, others);
  const own = picture.containers.filter(isOwn).flatMap((one) => ownPorts(one, before));
  refuseTaken(project, ports, takenByPrograms(box, own));
}

export function portsOfServices(model: ProjectModel | null | undefined): WantedPort[] {
  const services = Object.entries(model?.services ?? {});
  return services.flatMap(([service, { ports }]) => ports.map((port) => ({ ...port, service })));
}

/** Refuses a host port that another app also wants, whether it runs or not. */
export function refusePortsOf(box: Pick<Core, 'records'>, name: string, project: Project): void {
  const wanted = portsOfServices(box.records.load().get(name)?.model);
  const taken = wanted.map((port) => ({ ...port, holder: `the app ${name}` }));
  refuseTaken(project, portsOfServices(project.model), taken);
}

/** Compose says `Invalid hostPort: VALUE`. Any other fault in its files is reported by the reconcile. */
function refuseInvalid(project: Project, problem: string): void {
  const [, value] = /invalid hostport: ?(\S{1,80})/i.exec(problem) ?? [];
  if (value === undefined) return;
  refuse('portInvalid', { where: variableOf(project, value) ?? 'its Compose file', value: JSON.stringify(value) });
}

/** The variable of the `.env` that a port probably comes from: one with that very value. */
function variableOf({ env }: Project, value: string): string | null {
  const names = [...env].filter(([, text]) => text === value).map(([name]) => name);
  return names.find((name) => /port/i.test(name)) ?? names[0] ?? null;
}

function refuseTaken(project: Project, ports: readonly WantedPort[], taken: readonly Taken[]): void {
  for (const port of ports) {
    for (const one of taken.filter((other) => overlap(port, other))) {
      refusePort(project, port, Math.max(port.from, one.from), one.holder);
    }
  }
}

/** Refuses two services of the app, or two ports of one, that want the same host port. */
function refuseTwice(project: Project, ports: readonly WantedPort[]): void {
  for (const [index, port] of ports.entries()) {
    const isSame = ({ service, target }: WantedPort) => service === port.service && target === port.target;
    const taken = ports.slice(0, index).find((one) => overlap(port, one) && !isSame(one));
    if (taken === undefined) continue;
    refusePort(project, port, Math.max(port.from, taken.from), `the service ${taken.service} of the same app`);
  }
}

function refusePort(project: Project, { service, protocol }: WantedPort, port: number, holder: string): never {
  const where = variableOf(project, String(port)) ?? `service ${service}`;
  refuse('portHeld', { where, port: protocol === 'tcp' ? String(port) : `${port}/${protocol}`, holder });
}

function takenByContainer(box: EngineBox, container: Container): Taken[] {
  const app = box.folders.list('installed').find(({ path }) => path === container.workingDirectory);
  // A Compose file can put a secret into a container's name.
  const holder =
    app === undefined ? `the container ${maskSecretsIn(box, container.name, null)}` : `the app ${app.name}`;
  return spansOf(container).map((span) => ({ ...span, holder }));
}

function spansOf({ published }: Container): PortSpan[] {
  return published.map(({ protocol, address, hostPort }) => ({ protocol, address, from: hostPort, to: hostPort }));
}

/** The ports that a container uses: while it publishes none, as between two restarts, those of its service before. */
function ownPorts(container: Container, before: readonly WantedPort[]): PortSpan[] {
  if (container.published.length > 0) return spansOf(container);
  const isUp = container.state === 'running' || container.state === 'restarting';
  return isUp ? before.filter((port) => port.service === container.service) : [];
}

function takenByPrograms(box: EngineBox, own: readonly PortSpan[]): Taken[] {
  const others = box.sockets.listening().filter((socket) => !own.some((span) => overlap(span, socket)));
  return others.map((socket) => {
    return { ...socket, holder: socket.isThisBox ? 'the box itself' : 'another program on this machine' };
  });
}
