import { ignore } from '../../lib/ignore.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { ContainersFailed } from '../core.ts';
import { logEnd, toolLines } from '../rules/text/tool-output.ts';
import { allContainers } from './observer.ts';
import type { EngineBox } from './ports.ts';
import type { Action } from './rules/actions.ts';
import { allowedUntil, type Container, isStarting, ownContainers, timeText } from './rules/container.ts';
import { type BroughtUp, type ContainerFault, faultsOf, onePerService } from './rules/container-faults.ts';

/** Time that containers must stay up. A broken update costs more than a broken setting, so it is watched for longer. */
const steadyMs = { change: 1000, update: 2000 };
/** Time for a health check to pass before the answer is "still starting". */
const patienceMs = 15_000;
/** Time for a health check without a start period to pass after an update. */
const longestMs = 5 * 60_000;

/** `starting`: containers that may still start. */
export type StayUp = { containers: Container[]; faults: ContainerFault[]; starting: Container[] };

/**
 * Looks at the containers of all projects until those of one project stay up, or one of them fails. A container within
 * its start period does not fail. After an update a health check without a start period has to pass. Throws
 * ContainersFailed if the containers are unknown.
 * choice/box/122, choice/box/275
 */
export async function watchContainers(
  box: Pick<EngineBox, 'observer' | 'now' | 'pause'>,
  broughtUp: BroughtUp,
): Promise<StayUp> {
  const { project, by } = broughtUp;
  const began = box.now().getTime();
  for (;;) {
    await box.pause(steadyMs[by]);
    const containers = await allContainers(box);
    const faults = faultsOf(containers, broughtUp);
    const starting = ownContainers(containers, project).filter(isStarting);
    const now = box.now().getTime();
    const late = by === 'change' ? [] : starting.filter((one) => allowedUntil(one) <= now);
    const isPatient = now - began < patienceMs || (late.length > 0 && now - began < longestMs);
    if (faults.length === 0 && starting.length > 0 && isPatient) continue;
    const lateFaults = late.map((container) => {
      return { container, problem: `${container.name} did not become healthy in time` };
    });
    return { containers, faults: faults.length > 0 ? faults : lateFaults, starting };
  }
}

export function faultActions(box: EngineBox, app: string, faults: readonly ContainerFault[]): Promise<Action[]> {
  return Promise.all(
    onePerService(faults).map(async (fault) => {
      return { kind: 'error', target: `${app}/${fault.container.service}`, detail: await withLog(box, app, fault) };
    }),
  );
}

export async function withLog(box: EngineBox, app: string, { container, problem }: ContainerFault): Promise<string> {
  const log = await lastLines(box, app, container.id);
  return log === '' ? problem : `${problem}; its log ends with: ${log}`;
}

/** Empty if there is no log, or Docker does not give it. */
async function lastLines(box: EngineBox, app: string, container: string): Promise<string> {
  const logs = await box.containers.logs(container).catch(ignore(ContainersFailed, () => ''));
  return logEnd(maskSecretsIn(box, toolLines(logs).join('\n'), app));
}

/** Says of a container that is still starting how long it may. */
export function stillStarting(container: Container, now: number): string {
  const end = allowedUntil(container);
  return end > now ? `still starting, allowed until ${timeText(end)}` : `still starting after ${patienceMs / 1000} s`;
}
