import { faultText } from '../apps/fault-text.ts';
import type { Project } from '../apps/project.ts';
import type { BoxPorts, ContainerState, OnProgress } from '../ports.ts';
import { type Action, upActions } from '../rules/reconcile/actions.ts';
import type { Step } from '../rules/reconcile/reconcile-plan.ts';
import { bringUp } from './bring-up.ts';
import { rememberMissingImages } from './failed-ups.ts';
import { type Verified, verifyUp } from './verify-up.ts';

/** Number of projects that are brought up at a time. choice/box/104 */
export const atATime = 4;

export type Scene = {
  projects: ReadonlyMap<string, Project>;
  containers: readonly ContainerState[];
  /** If false, apps whose images are not on this machine are skipped. */
  pulls: boolean;
};

export type CarriedOut = {
  /** In the order of the steps. */
  actions: Action[];
  /** The containers of each app that was brought up, empty if it was taken down, `null` if it failed. */
  succeeded: Map<string, string[] | null>;
};

/** Carries out a plan. All decisions are in the plan. */
export async function carryOut(box: BoxPorts, steps: readonly Step[], scene: Scene): Promise<CarriedOut> {
  const succeeded = new Map<string, string[] | null>();
  const actions = await mapConcurrently(steps, atATime, (step) => carryOutStep(box, step, scene, succeeded));
  return { actions: actions.flat(), succeeded };
}

/** Steps that touch no container, with the kind of their action. */
const reportedKinds = { leave: 'noop', skip: 'skip', fail: 'error', warn: 'warn' } as const;

async function carryOutStep(
  box: BoxPorts,
  step: Step,
  scene: Scene,
  succeeded: Map<string, string[] | null>,
): Promise<Action[]> {
  if (step.do === 'down') return takeDown(box, step, succeeded);
  if (step.do === 'up') return bringAppUp(box, step, scene, succeeded);
  return [{ kind: reportedKinds[step.do], target: step.app, detail: step.cause }];
}

async function bringAppUp(
  box: BoxPorts,
  { app, cause, isVerified }: Extract<Step, { do: 'up' }>,
  scene: Scene,
  succeeded: Map<string, string[] | null>,
): Promise<Action[]> {
  const project = scene.projects.get(app) as Project;
  if (!scene.pulls && (await rememberMissingImages(box, app, project, null))) {
    return [{ kind: 'skip', target: app, detail: 'its images are not on this machine yet; the box pulls them' }];
  }
  // Only the app acted on is verified.
  const report: OnProgress = isVerified ? box.operations.report : () => undefined;
  try {
    const changes = await bringUp(box, project, scene.containers, undefined, report);
    box.failedUps.delete(app);
    const done = upActions(app, changes, cause);
    report({ step: 'verifying' });
    const { isUp, actions }: Verified = isVerified
      ? await verifyUp(box, app, project, scene.containers, changes, done)
      : { isUp: true, actions: done };
    const present = changes.filter(({ event }) => event !== 'removed').map(({ name }) => name);
    succeeded.set(app, isUp ? present : null);
    report({ step: 'finishing' });
    return actions;
  } catch (error) {
    succeeded.set(app, null);
    const detail = faultText(box, error);
    await rememberMissingImages(box, app, project, detail);
    return [{ kind: 'error', target: app, detail }];
  }
}

async function takeDown(
  box: BoxPorts,
  { app, project, cause }: Extract<Step, { do: 'down' }>,
  succeeded: Map<string, string[] | null>,
): Promise<Action[]> {
  try {
    await box.containers.downByName(project);
    succeeded.set(app, []);
    return [{ kind: 'stop', target: app, detail: `project ${project} taken down: ${cause}` }];
  } catch (error) {
    // The failure concerns no installed app, so the action is not an `error`.
    const detail = `project ${project} is not taken down, though ${cause}: ${faultText(box, error)}`;
    return [{ kind: 'warn', target: app, detail }];
  }
}

/** Like `Promise.all` over `work`, at most `width` at a time. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
