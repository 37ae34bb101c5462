import { hex } from './digest.ts';
import { daemonError } from './failure.ts';
import type { Behaviour, Container, ContainerStatus, EngineState, HealthStatus, Image } from './state.ts';

export type NewContainer = Omit<
  Container,
  | 'id'
  | 'createdAt'
  | 'imageId'
  | 'imageManifest'
  | 'status'
  | 'startedAt'
  | 'finishedAt'
  | 'exitCode'
  | 'error'
  | 'restartCount'
  | 'exit'
  | 'health'
>;

/** A path that every image's environment starts with, as those made from a base image do. */
export const imagePath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Makes a container that has not run; two of one name are refused. */
export function createContainer(
  state: EngineState,
  wanted: NewContainer,
  image: Image,
  now: number,
): Container {
  const holder = state.containers.find((one) => one.name === wanted.name);
  if (holder) {
    throw daemonError(
      `Conflict. The container name "/${wanted.name}" is already in use by container "${holder.id}". ` +
        'You have to remove (or rename) that container to be able to reuse that name.',
    );
  }
  state.serial += 1;
  const id = hex(`container ${state.serial} ${wanted.name} ${now}`);
  const hasPath = wanted.env.some((entry) => entry.startsWith('PATH='));
  const container: Container = {
    ...wanted,
    env: hasPath ? wanted.env : [...wanted.env, imagePath],
    hostname: wanted.hostname || id.slice(0, 12),
    id,
    createdAt: now,
    imageId: image.id,
    imageManifest: image.manifest,
    status: 'created',
    startedAt: null,
    finishedAt: null,
    exitCode: 0,
    error: '',
    restartCount: 0,
    exit: null,
    health: null,
  };
  state.containers.push(container);
  return container;
}

/** Starts a container; the engine's words when it can't be, null when it runs (or ran). */
export function startContainer(state: EngineState, container: Container, now: number): string | null {
  if (statusOf(container, now) === 'running') return null;
  const taken = takenPort(state, container, now);
  if (taken) {
    container.exitCode = 128;
    const where = `driver failed programming external connectivity on endpoint ${container.name}`;
    container.error = `${where} (${hex(container.id)}): Bind for ${taken} failed: port is already allocated`;
    return container.error;
  }
  const behaviour = behaviourOf(state, container);
  if (behaviour?.does === 'never-start') return refuseStart(container);
  container.startedAt = now;
  container.finishedAt = null;
  container.exitCode = 0;
  container.error = '';
  container.status = 'running';
  container.exit = firstExit(behaviour, now);
  container.health = firstHealth(container, behaviour, now);
  settle(container, now);
  return null;
}

function refuseStart(container: Container): string {
  container.exitCode = 127;
  container.error =
    'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: ' +
    'unable to start container process: exec: "/entrypoint": stat /entrypoint: no such file or directory: unknown';
  return container.error;
}

function firstExit(behaviour: Behaviour | undefined, now: number): Container['exit'] {
  if (behaviour?.does !== 'exit' && behaviour?.does !== 'restart') return null;
  return { at: now + behaviour.afterMs, code: behaviour.exitCode, again: behaviour.does === 'restart' };
}

function firstHealth(
  container: Container,
  behaviour: Behaviour | undefined,
  now: number,
): Container['health'] {
  if (!container.healthcheck) return null;
  const status: HealthStatus = behaviour?.does === 'unhealthy' ? 'unhealthy' : 'healthy';
  return { status, at: now + (behaviour?.afterMs ?? 0) };
}

/** The script for this very content, else the one for every generation of its reference. */
function behaviourOf(state: EngineState, container: Container): Behaviour | undefined {
  const image = state.images.find((one) => one.id === container.imageId);
  if (!image) return undefined;
  const fitting = state.behaviours.filter(
    (one) => one.image === image.source || image.tags.includes(one.image),
  );
  return (
    fitting.findLast((one) => one.generation === image.generation) ??
    fitting.findLast((one) => one.generation === null)
  );
}

function takenPort(state: EngineState, container: Container, now: number): string | null {
  for (const port of container.ports) {
    if (port.hostPort === 0) port.hostPort = freePort(state, now);
    const holder = state.containers.find(
      (other) =>
        other !== container &&
        statusOf(other, now) === 'running' &&
        other.ports.some((one) => clashes(one, port)),
    );
    if (holder) return `${port.hostIp || '0.0.0.0'}:${port.hostPort}`;
  }
  return null;
}

function clashes(one: Container['ports'][number], other: Container['ports'][number]): boolean {
  if (one.hostPort !== other.hostPort || one.protocol !== other.protocol) return false;
  const isAny = (ip: string) => ip === '' || ip === '0.0.0.0' || ip === '::';
  return isAny(one.hostIp) || isAny(other.hostIp) || one.hostIp === other.hostIp;
}

function freePort(state: EngineState, now: number): number {
  const taken = new Set(
    state.containers
      .filter((one) => statusOf(one, now) === 'running')
      .flatMap((one) => one.ports.map((port) => port.hostPort)),
  );
  let port = 32_768;
  while (taken.has(port)) port += 1;
  return port;
}

/** Brings a record up to the time: what was to exit by now has exited. */
function settle(container: Container, now: number): void {
  const { exit } = container;
  if (container.status !== 'running' || !exit || now < exit.at) return;
  const always = container.restart.name === 'always' || container.restart.name === 'unless-stopped';
  const restarts = always || (container.restart.name === 'on-failure' && exit.code !== 0);
  if (restarts) container.restartCount += 1;
  container.finishedAt = exit.at;
  if (restarts && exit.again) {
    // Who looks finds it running, however often.
    container.startedAt = now;
    return;
  }
  container.exitCode = exit.code;
  container.status = restarts ? 'restarting' : 'exited';
}

export function statusOf(container: Container, now: number): ContainerStatus {
  settle(container, now);
  return container.status;
}

/** Health as the engine would tell it now; null for a container without a health check. */
export function healthOf(container: Container, now: number): HealthStatus | null {
  if (!container.health) return null;
  return now < container.health.at ? 'starting' : container.health.status;
}

export function stopContainer(container: Container, now: number, exitCode: number): void {
  const status = statusOf(container, now);
  if (status !== 'running' && status !== 'restarting' && status !== 'paused') return;
  container.status = 'exited';
  if (status === 'running') container.exitCode = exitCode;
  container.exit = null;
  container.finishedAt = now;
}

export function removeContainer(state: EngineState, container: Container): void {
  state.containers = state.containers.filter((one) => one !== container);
}

/** Finds one container by id, beginning of an id, or name. */
export function findContainer(state: EngineState, text: string): Container | undefined {
  const name = text.replace(/^\//, '');
  const exact = state.containers.find((one) => one.id === text || one.name === name);
  return exact ?? (text ? state.containers.find((one) => one.id.startsWith(text)) : undefined);
}

export function requireContainer(state: EngineState, text: string): Container {
  const container = findContainer(state, text);
  if (!container) throw daemonError(`No such container: ${text}`);
  return container;
}
