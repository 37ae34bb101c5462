import { maskSecretsIn } from '../apps/secrets.ts';
import { type BoxPorts, ContainersFailed } from '../ports.ts';
import { wasStarted } from '../rules/reconcile/actions.ts';
import { allowedUntil, type Container, isStarting, ownContainers, timeText } from '../rules/reconcile/container.ts';
import { logEnd } from '../rules/text/log-end.ts';
import { toolLines } from '../rules/text/tool-output.ts';

/** Time that containers must stay up. A broken update costs more than a broken setting, so it is watched for longer. */
const steadyMs = { change: 1000, update: 2000 };
/** Time for a health check to pass before the answer is "still starting". */
const patienceMs = 15_000;
/** Time for a health check without a start period to pass after an update. */
const longestMs = 5 * 60_000;

/** A project that was brought up, and the containers of all projects before that. */
export type BroughtUp = { project: string; before: readonly Container[]; by: keyof typeof steadyMs };

export type ContainerFault = { container: Container; problem: string };

/** `starting`: containers that may still start. */
export type StayUp = { containers: Container[]; faults: ContainerFault[]; starting: Container[] };

/**
 * Looks at the containers of all projects until those of one project stay up, or one of them fails: it ends, restarts
 * or becomes unhealthy. A container within its start period does not fail. After an update a fault does not count that
 * the same container had before, and a health check without a start period has to pass. Throws ContainersFailed if the
 * containers are unknown.
 * choice/box/122, choice/box/275
 */
export async function watchContainers(
  box: Pick<BoxPorts, 'observer' | 'now' | 'pause'>,
  { project, before, by }: BroughtUp,
): Promise<StayUp> {
  const began = box.now().getTime();
  for (;;) {
    await box.pause(steadyMs[by]);
    const { containers, failure } = await box.observer.look();
    if (failure !== null) throw failure;
    const faults = faultsOf(containers, { project, before, by });
    const now = box.now().getTime();
    const starting = ownContainers(containers, project).filter(isStarting);
    const late = by === 'change' ? [] : starting.filter((one) => allowedUntil(one) <= now);
    const isPatient = now - began < patienceMs || (late.length > 0 && now - began < longestMs);
    if (faults.length === 0 && starting.length > 0 && isPatient) continue;
    const lateFaults = late.map((container) => {
      return { container, problem: `the container ${container.name} did not become healthy in time` };
    });
    return { containers, faults: faults.length > 0 ? faults : lateFaults, starting };
  }
}

/** The containers of a project that do not stay up. */
export function faultsOf(containers: readonly Container[], { project, before, by }: BroughtUp): ContainerFault[] {
  const earlier = new Map(before.map((container) => [container.id, container]));
  return ownContainers(containers, project).flatMap((container) => {
    const same = earlier.get(container.id);
    const problem = isLeftStopped(container, same) ? null : problemOf(container, same, by);
    return problem === null ? [] : [{ container, problem }];
  });
}

/** Whether a container was stopped before, and was not started since. */
function isLeftStopped(container: Container, earlier: Container | undefined): boolean {
  return earlier?.state === 'exited' && container.state === 'exited' && !wasStarted(earlier, container);
}

/** `earlier` is the same container before. */
function problemOf(container: Container, earlier: Container | undefined, by: BroughtUp['by']): string | null {
  const { name, state, exitCode, health, restarts, restartCount } = container;
  const old = by === 'update' ? earlier : undefined;
  const wasLooping = Number(old?.restartCount) > 0;
  if (state === 'restarting' && !wasLooping) {
    return `the container ${name} does not stay up: it ended with status ${exitCode}, and Docker starts it again and again`;
  }
  if (state === 'dead') return `the container ${name} does not stay up`;
  if (health === 'unhealthy' && old?.health !== 'unhealthy') return `the container ${name} is unhealthy`;
  if (state === 'exited') {
    return exitCode === 0 && !restarts ? null : `the container ${name} ended with status ${exitCode}`;
  }
  // A container that Docker has restarted may look as if it had always run.
  const known = earlier?.state === 'running' ? earlier.restartCount : 0;
  if (restartCount <= known || wasLooping) return null;
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  return `the container ${name} does not stay up: Docker has started it again ${times}`;
}

/** One fault for each service. */
export function onePerService(faults: readonly ContainerFault[]): ContainerFault[] {
  const services = faults.map(({ container }) => container.service);
  return faults.filter((_, index) => services.indexOf(services[index] ?? '') === index);
}

/** The problem of a container with the last lines of its log, secrets masked. */
export async function withLog(box: BoxPorts, app: string, { container, problem }: ContainerFault): Promise<string> {
  const log = await lastLines(box, app, container.id);
  return log === '' ? problem : `${problem}; its log ends with: ${log}`;
}

/** Empty if there is no log, or Docker does not give it. */
async function lastLines(box: BoxPorts, app: string, container: string): Promise<string> {
  try {
    const lines = toolLines(await box.containers.logs(container));
    return logEnd(maskSecretsIn(box, lines.join('\n'), app));
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return '';
  }
}

/** Says of a container that is still starting how long it may. */
export function stillStarting(container: Container, now: number): string {
  const end = allowedUntil(container);
  return end > now ? `still starting, allowed until ${timeText(end)}` : `still starting after ${patienceMs / 1000} s`;
}
