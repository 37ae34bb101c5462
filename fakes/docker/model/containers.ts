import { hex } from './digest.ts';
import { emit } from './events.ts';
import { daemonError } from './failure.ts';
import type { Behaviour, Container, EngineState, HealthStatus, Image } from './state.ts';

export type NewContainer = Omit<
  Container,
  | 'id'
  | 'createdAt'
  | 'imageId'
  | 'status'
  | 'startedAt'
  | 'finishedAt'
  | 'exitCode'
  | 'error'
  | 'restartCount'
  | 'exit'
  | 'again'
  | 'health'
  | 'turn'
  | 'log'
>;

/** The `PATH` of every image, as base images set it. */
export const imagePath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Creates a container; throws if the name is in use. */
export function createContainer(state: EngineState, wanted: NewContainer, image: Image, now: number): Container {
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
    status: 'created',
    startedAt: null,
    finishedAt: null,
    exitCode: 0,
    error: '',
    restartCount: 0,
    exit: null,
    again: null,
    health: null,
    turn: null,
    log: [],
  };
  state.containers.push(container);
  emit(state, container, 'create', now);
  return container;
}

/** Starts a container. Returns the error message of the engine, or `null`. */
export function startContainer(state: EngineState, container: Container, now: number): string | null {
  if (container.status === 'running') return null;
  container.restartCount = 0;
  container.again = null;
  const trouble = run(state, container, now);
  settle(state, now);
  return trouble;
}

function run(state: EngineState, container: Container, now: number): string | null {
  const taken = takenPort(state, container);
  if (taken) {
    container.exitCode = 128;
    const where = `driver failed programming external connectivity on endpoint ${container.name}`;
    container.error = `${where} (${hex(container.id)}): Bind for ${taken} failed: port is already allocated`;
    return container.error;
  }
  const behaviour = behaviourOf(state, container);
  if (behaviour?.does === 'never-start') return refuseStart(container);
  container.startedAt = now;
  container.exitCode = 0;
  container.error = '';
  container.status = 'running';
  container.exit = firstExit(behaviour, now);
  const lines = behaviour?.lines ?? [{ to: 'stdout', text: `fake container ${container.name} started` }];
  container.log = [...container.log, ...lines.map((line) => ({ ...line, at: now }))].slice(-mostLogLines);
  container.health = container.healthcheck ? 'starting' : null;
  container.turn = container.healthcheck ? firstTurn(behaviour, now) : null;
  emit(state, container, 'start', now);
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
  return { at: now + behaviour.afterMs, code: behaviour.exitCode, atOnce: behaviour.does === 'restart' };
}

function firstTurn(behaviour: Behaviour | undefined, now: number): Container['turn'] {
  const to = behaviour?.does === 'unhealthy' ? 'unhealthy' : 'healthy';
  return { at: now + (behaviour?.afterMs ?? 0), to };
}

/** The behaviour for this generation, else the one for all generations. */
function behaviourOf(state: EngineState, container: Container): Behaviour | undefined {
  const image = state.images.find((one) => one.id === container.imageId);
  if (!image) return undefined;
  const fitting = state.behaviours.filter((one) => one.image === image.source || image.tags.includes(one.image));
  return (
    fitting.findLast((one) => one.generation === image.generation) ?? fitting.findLast((one) => one.generation === null)
  );
}

function takenPort(state: EngineState, container: Container): string | null {
  for (const port of container.ports) {
    if (port.hostPort === 0) port.hostPort = freePort(state, container);
    const holder = state.containers.find(
      (other) => other !== container && other.status === 'running' && other.ports.some((one) => clashes(one, port)),
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

function freePort(state: EngineState, container: Container): number {
  const holders = state.containers.filter((one) => one.status === 'running' || one === container);
  const taken = new Set(holders.flatMap((one) => one.ports.map((port) => port.hostPort)));
  let port = 32_768;
  while (taken.has(port)) port += 1;
  return port;
}

const mostLogLines = 100;

type Due = { at: number; happen: () => void };

/** Applies all due exits, restarts and health changes in chronological order. */
export function settle(state: EngineState, now: number): void {
  for (let due = nextDue(state); due !== null && due.at <= now; due = nextDue(state)) due.happen();
}

/** The next exit, restart or health change; `null` without one, or while the engine is stopped. */
export function nextDue(state: EngineState): Due | null {
  if (!state.running) return null;
  const dues = state.containers.flatMap((one) => dueOf(state, one) ?? []);
  return dues.reduce<Due | null>((first, due) => (first && first.at <= due.at ? first : due), null);
}

function dueOf(state: EngineState, container: Container): Due | null {
  const { status, exit, again, turn } = container;
  if (status === 'restarting') {
    return again && { at: again.at, happen: () => startAgain(state, container, again.at) };
  }
  if (status !== 'running') return null;
  if (turn && (!exit || turn.at < exit.at)) {
    return { at: turn.at, happen: () => turnHealth(state, container, turn.to, turn.at) };
  }
  return exit && { at: exit.at, happen: () => exitContainer(state, container, exit) };
}

export function turnHealth(state: EngineState, container: Container, to: HealthStatus, at: number): void {
  const isNew = container.health !== to;
  container.health = to;
  container.turn = null;
  if (isNew && to !== 'starting') emit(state, container, `health_status: ${to}`, at);
}

const [leastDelayMs, mostDelayMs, longRunMs] = [100, 60_000, 10_000];

/** The container exits. The restart policy restarts it with doubling delays. */
export function exitContainer(
  state: EngineState,
  container: Container,
  { at, code, atOnce }: NonNullable<Container['exit']>,
): void {
  const { again, startedAt } = container;
  const restarts = isStartedAgain(container, code);
  endContainer(state, container, at, code);
  if (!restarts) return;
  const isFirst = again === null || at - (startedAt ?? 0) >= longRunMs;
  const afterMs = isFirst ? leastDelayMs : Math.min(again.afterMs * 2, mostDelayMs);
  container.restartCount += 1;
  container.status = 'restarting';
  container.again = { at: at + afterMs, afterMs };
  if (!atOnce) return;
  startAgain(state, container, at);
  if (container.exit) container.exit.at = Math.max(container.exit.at, at + leastDelayMs);
}

function isStartedAgain({ restart: { name, max }, restartCount }: Container, code: number): boolean {
  if (name === 'on-failure') return code !== 0 && (max === 0 || restartCount < max);
  return name === 'always' || name === 'unless-stopped';
}

function startAgain(state: EngineState, container: Container, at: number): void {
  if (run(state, container, at) !== null) container.status = 'exited';
}

export function endContainer(state: EngineState, container: Container, at: number, exitCode: number): void {
  const ranMs = at - (container.startedAt ?? at);
  container.status = 'exited';
  container.exitCode = exitCode;
  container.exit = null;
  container.finishedAt = at;
  container.turn = null;
  // The engine reports stopped containers with a health check as unhealthy.
  if (container.health) container.health = 'unhealthy';
  emit(state, container, 'die', at, { execDuration: String(Math.floor(ranMs / 1000)), exitCode: String(exitCode) });
}

/** Kills a container; `stop` sends SIGTERM first. */
export function stopContainer(state: EngineState, container: Container, now: number, how: 'stop' | 'kill'): void {
  const { status } = container;
  if (status !== 'running' && status !== 'restarting') return;
  if (how === 'stop') emit(state, container, 'kill', now, { signal: '15' });
  emit(state, container, 'kill', now, { signal: '9' });
  container.again = null;
  if (status === 'restarting') Object.assign(container, { status: 'exited', finishedAt: now });
  else endContainer(state, container, now, 137);
  if (how === 'stop') emit(state, container, 'stop', now);
}

/** Stops the containers with the engine. Its next start restarts them by their restart policy. */
export function stopWithEngine(state: EngineState, now: number): void {
  for (const container of state.containers.filter((one) => one.status === 'running')) {
    stopContainer(state, container, now, 'stop');
    if (!isStartedAgain(container, container.exitCode)) continue;
    container.status = 'restarting';
    container.again = { at: now, afterMs: leastDelayMs };
  }
}

export function removeContainer(state: EngineState, container: Container, now: number): void {
  stopContainer(state, container, now, 'kill');
  state.containers = state.containers.filter((one) => one !== container);
  emit(state, container, 'destroy', now);
}

export function renameContainer(state: EngineState, container: Container, name: string, now: number): void {
  const oldName = `/${container.name}`;
  container.name = name;
  emit(state, container, 'rename', now, { oldName });
}

/** Finds a container by id, id prefix or name. */
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
