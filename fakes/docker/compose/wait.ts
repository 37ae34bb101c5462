import type { Call } from '../handler/call.ts';
import { Failure } from '../model/failure.ts';
import type { Container } from '../model/state.ts';
import { progress, serviceContainers } from './context.ts';
import type { Service } from './files/service.ts';

const lookEveryMs = 50;

export async function waitForDependencies(call: Call, project: string, service: Service): Promise<void> {
  for (const [name, dependency] of Object.entries(service.dependencies)) {
    if (dependency.condition === 'service_started') continue;
    try {
      await waitForService(call, project, name, dependency.condition, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof Failure) || !dependency.required) continue;
      for (const one of serviceContainers(call.read(), project, name)) progress(call, `Container ${one.name}`, 'Error');
      throw new Failure(1, `dependency failed to start: ${error.message}`);
    }
  }
}

/** Waits for all containers of a service. `untilMs` is a timestamp. */
export async function waitForService(
  call: Call,
  project: string,
  service: string,
  condition: string,
  untilMs: number,
): Promise<void> {
  const containers = serviceContainers(call.read(), project, service);
  for (const container of containers) progress(call, `Container ${container.name}`, 'Waiting');
  for (;;) {
    const present = serviceContainers(call.read(), project, service);
    if (present.every((container) => isReady(container, condition))) break;
    if (call.now() >= untilMs) throw new Failure(1, 'application not healthy after the wait time-out');
    await call.pause(lookEveryMs);
  }
  const word = condition === 'service_completed_successfully' ? 'Exited' : 'Healthy';
  for (const container of containers) progress(call, `Container ${container.name}`, word);
}

function isReady(container: Container, condition: string): boolean {
  const status = container.status;
  if (condition === 'service_completed_successfully') return hasCompleted(container, status);
  if (status === 'exited') throw new Failure(1, `container ${container.name} exited (${container.exitCode})`);
  if (status === 'restarting') return false;
  if (!container.healthcheck) {
    if (condition === 'running_or_healthy') return status === 'running';
    throw new Failure(1, `container ${container.name} has no healthcheck configured`);
  }
  const health = container.health;
  if (health === 'unhealthy') throw new Failure(1, `container ${container.name} is unhealthy`);
  return health === 'healthy';
}

function hasCompleted(container: Container, status: string): boolean {
  if (status !== 'exited') return false;
  if (container.exitCode === 0) return true;
  throw new Failure(1, `service "${container.name}" didn't complete successfully: exit ${container.exitCode}`);
}
