import { Failure } from './failure.ts';
import type { EngineState, Fault } from './state.ts';

/** Points that `any` excludes: steps inside a command, and `events`, which runs all the time. */
const steps = new Set(['pull', 'create', 'start', 'stop', 'remove', 'events']);

/**
 * Consumes a matching fault. `on` is a point (`pull`, `start`, `compose up`, `image inspect`), a Compose command (`up`,
 * `down`), or `any`, the first point of the next command.
 */
export function takeFault(
  state: EngineState,
  point: string,
  subjects: readonly string[],
  when: Fault['when'],
): Fault | null {
  const fault = findFault(state, point, subjects, when);
  if (!fault) return null;
  fault.used += 1;
  if (fault.left !== null) fault.left -= 1;
  return fault;
}

export function findFault(
  state: EngineState,
  point: string,
  subjects: readonly string[],
  when: Fault['when'],
): Fault | undefined {
  return state.faults.find(
    (one) =>
      one.when === when &&
      one.left !== 0 &&
      covers(one.on, point) &&
      (one.match === null || subjects.some((subject) => subject.includes(one.match ?? ''))),
  );
}

function covers(on: string, point: string): boolean {
  if (on === point) return true;
  if (steps.has(on)) return false;
  return on === 'any' ? !steps.has(point) : `compose ${on}` === point;
}

export function faultFailure(fault: Fault, subject: string, host: string): Failure {
  return new Failure(fault.status, fault.message ?? faultText(fault, subject, host));
}

function faultText(fault: Fault, subject: string, host: string): string {
  const daemon = 'Error response from daemon: ';
  switch (fault.kind) {
    case 'not-found':
      return `${daemon}manifest for ${subject} not found: manifest unknown: manifest unknown`;
    case 'rate-limit':
      return `${daemon}toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit`;
    case 'network':
      return `${daemon}Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host`;
    case 'disk-full':
      return fault.on === 'pull'
        ? 'failed to register layer: write /usr/share/data: no space left on device'
        : `${daemon}mkdir /var/lib/docker/overlay2/${'0'.repeat(12)}: no space left on device`;
    case 'daemon-gone':
      return cannotConnect(host);
    case 'connection-dropped':
      return `error during connect: Post "http://%2Fvar%2Frun%2Fdocker.sock/v1.45/containers/create": EOF`;
    default:
      return `${daemon}a fault was scripted for ${fault.on}`;
  }
}

export function cannotConnect(host: string): string {
  return `Cannot connect to the Docker daemon at ${host}. Is the docker daemon running?`;
}
