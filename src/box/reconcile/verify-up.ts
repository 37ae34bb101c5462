import type { Project } from '../apps/project.ts';
import { maskSecretsIn } from '../apps/secrets.ts';
import { type BoxPorts, type ContainerState, ContainersFailed } from '../ports.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import { logEnd } from '../rules/text/log-end.ts';
import { toolLines } from '../rules/text/tool-output.ts';
import type { NamedChange } from './bring-up.ts';
import { type ContainerFault, type StayUpLimits, watchContainers } from './stay-up.ts';

/** Short limits, because the owner waits for this check. */
const limits: StayUpLimits = { withinMs: 15_000, steadyForMs: 1000 };

export type Verified = { isUp: boolean; actions: Action[] };

/**
 * Checks that the containers of an `up` stay up. A service that does not stay up gets an `error` action with the last
 * lines of its log; the action of a service that is still starting says so. `isUp` is false after an `error`.
 * choice/box/275
 */
export async function verifyUp(
  box: BoxPorts,
  app: string,
  project: Project,
  before: readonly ContainerState[],
  changes: readonly NamedChange[],
  done: Action[],
): Promise<Verified> {
  const services = changes.filter(({ event }) => event !== 'removed').map(({ service }) => service);
  if (services.length === 0) return { isUp: true, actions: done };
  // A running container may have been restarted long before the change.
  const restarted = new Set(before.filter(({ state }) => state === 'running').map(({ id }) => id));
  const oldFaults = { unhealthy: new Set<string>(), looping: new Set<string>(), restarted };
  try {
    const verdict = await watchContainers(box, { ...project, services, oldFaults }, limits);
    if (verdict.is === 'up') return { isUp: true, actions: done };
    if (verdict.is === 'starting') {
      const names = new Set(verdict.containers.map(({ service }) => service));
      return { isUp: true, actions: stillStarting(app, names, done) };
    }
    const errors = await Promise.all(onePerService(verdict.faults).map((fault) => errorOf(box, app, fault)));
    box.failedUps.set(app, { why: 'down', digest: project.digest });
    return { isUp: false, actions: [...done, ...errors] };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    // Docker has listed the containers as running; only their restart counts are missing.
    if (!error.unreachable) return { isUp: true, actions: done };
    return { isUp: false, actions: [...done, { kind: 'error', target: app, detail: error.message }] };
  }
}

function onePerService(faults: readonly ContainerFault[]): ContainerFault[] {
  const services = faults.map(({ container }) => container.service);
  return faults.filter((_, index) => services.indexOf(services[index] ?? '') === index);
}

async function errorOf(box: BoxPorts, app: string, { container, problem }: ContainerFault): Promise<Action> {
  const log = await lastLines(box, app, container.id);
  const detail = log === '' ? problem : `${problem}; its log ends with: ${log}`;
  return { kind: 'error', target: `${app}/${container.service}`, detail };
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

/**
 * Notes in each service's action that it is still starting. A service that was already running gets an action for it.
 */
function stillStarting(app: string, services: ReadonlySet<string>, done: readonly Action[]): Action[] {
  const note = `still starting after ${limits.withinMs / 1000} s`;
  const targets = new Set([...services].map((service) => `${app}/${service}`));
  const noted = done.map((action) =>
    targets.delete(action.target) ? { ...action, detail: `${action.detail}; ${note}` } : action,
  );
  return [...noted, ...[...targets].map((target) => ({ kind: 'start' as const, target, detail: note }))];
}
