import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { Project } from '../app-files/project.ts';
import { unnamedText, unsavedVolumes } from '../backup/rules/places.ts';
import { type AppRecord, ContainersFailed, faultText, type OnProgress } from '../core.ts';
import { bringUp, buildImages } from './bring-up.ts';
import { rememberMissingImages } from './failed-ups.ts';
import { allContainers } from './observer.ts';
import type { EngineBox } from './ports.ts';
import { type Action, containerChanges, upActions, withNotes } from './rules/actions.ts';
import type { StepOutcome } from './rules/app-record.ts';
import { type Container, ownContainers, runningFrom, stopTimeMs } from './rules/container.ts';
import { faultsOf } from './rules/container-faults.ts';
import type { Step } from './rules/reconcile-plan.ts';
import { faultActions, type StayUp, stillStarting, watchContainers } from './stay-up.ts';
import { stopContainers } from './stop-and-start.ts';

/** Number of projects that are brought up at a time. choice/box/104 */
export const atATime = 4;

export type Scene = {
  projects: ReadonlyMap<string, Project>;
  containers: readonly Container[];
  records: ReadonlyMap<string, AppRecord>;
  /** If false, apps whose images are not on this machine are skipped. */
  pulls: boolean;
  /** The app whose images are built; `null` if none is. */
  builds: string | null;
};

type Up = Extract<Step, { do: 'up' }>;
type Done = { actions: Action[]; outcome?: StepOutcome };

/** Returns the actions in the order of the steps, and the outcomes of apps that were brought up or taken down. */
export async function carryOut(
  box: EngineBox,
  steps: readonly Step[],
  scene: Scene,
): Promise<{ actions: Action[]; outcomes: Map<string, StepOutcome> }> {
  const done = new Map<Step, Done>();
  await mapConcurrently(steps, atATime, async (step) => {
    const result = await carryOutStep(box, step, scene);
    if (result !== null) done.set(step, result);
  });
  const broughtUp = steps.filter((step): step is Up => step.do === 'up' && !done.has(step));
  for (const [step, result] of await inspectBroughtUp(box, broughtUp, scene)) done.set(step, result);
  const outcomes = [...done].flatMap(([{ app }, { outcome }]) =>
    outcome === undefined ? [] : [[app, outcome] as const],
  );
  return { actions: steps.flatMap((step) => done.get(step)?.actions ?? []), outcomes: new Map(outcomes) };
}

/** Steps that touch no container, with the kind of their action. */
const reportedKinds = { leave: 'noop', skip: 'skip', fail: 'error', warn: 'warn' } as const;

/** `null` for an app that was brought up, whose containers are to be looked at. */
async function carryOutStep(box: EngineBox, step: Step, scene: Scene): Promise<Done | null> {
  if (step.do === 'stop') return stopApp(box, step, scene);
  if (step.do === 'down') return takeDown(box, step, scene);
  if (step.do === 'up') return bringAppUp(box, step, scene);
  return { actions: [{ kind: reportedKinds[step.do], target: step.app, detail: step.cause }] };
}

async function bringAppUp(
  box: EngineBox,
  { app, isVerified }: Up,
  { projects, containers: before, records, pulls, builds }: Scene,
): Promise<Done | null> {
  const project = projects.get(app) as Project;
  if (!pulls && (await rememberMissingImages(box, app, project, null))) {
    const detail = 'its images are not on this machine yet; the box pulls them';
    return { actions: [{ kind: 'skip', target: app, detail }] };
  }
  // Only the app acted on is verified.
  const report: OnProgress = isVerified ? box.operations.report : () => undefined;
  try {
    if (app === builds) await buildImages(box, project);
    await bringUp(box, { project, before, record: records.get(app), onProgress: report });
    box.failedUps.delete(app);
    report({ step: 'finishing' });
    return null;
  } catch (error) {
    const detail = faultText(box, error);
    await rememberMissingImages(box, app, project, detail);
    return failed(app, detail);
  }
}

function failed(app: string, failure: string): Done {
  return { actions: [{ kind: 'error', target: app, detail: failure }], outcome: { failure } };
}

/** One look at all apps that were brought up. The containers of the app acted on are watched until they stay up. */
async function inspectBroughtUp(box: EngineBox, steps: readonly Up[], scene: Scene): Promise<[Step, Done][]> {
  if (steps.length === 0) return [];
  const watched = steps.find(({ isVerified }) => isVerified);
  const project = scene.projects.get(watched?.app ?? '')?.compose.project;
  if (watched !== undefined) box.operations.report({ step: 'verifying' });
  try {
    const seen =
      project === undefined
        ? { containers: await allContainers(box), faults: [], starting: [] }
        : await watchContainers(box, { project, before: scene.containers, by: 'change' });
    return await Promise.all(
      steps.map(async (step): Promise<[Step, Done]> => [step, await judge(box, step, scene, seen, step === watched)]),
    );
  } catch (error) {
    // Without a picture of the containers the end of `up` is all that is known.
    const isUnlisted = error instanceof ContainersFailed && !error.unreachable;
    const detail = faultText(box, error);
    return steps.map((step) => {
      const success = { actions: upActions(step.app, [], step.cause), outcome: { containers: [] } };
      return [step, isUnlisted || step !== watched ? success : failed(step.app, detail)];
    });
  }
}

/** choice/box/275 */
async function judge(box: EngineBox, step: Up, scene: Scene, seen: StayUp, isWatched: boolean): Promise<Done> {
  const { app, cause } = step;
  const { compose, digest, model } = scene.projects.get(app) as Project;
  const own = ownContainers(seen.containers, compose.project);
  const changes = containerChanges(ownContainers(scene.containers, compose.project), own);
  const actions = upActions(app, changes, cause);
  const outcome = { containers: own };
  const broughtUp = { project: compose.project, before: scene.containers, by: 'change' as const };
  const faults = isWatched ? seen.faults : faultsOf(seen.containers, broughtUp);
  if (isWatched) actions.push(...unsavedIn(app, own, model.volumes));
  if (faults.length === 0) {
    const now = box.now().getTime();
    const notes = seen.starting.map((one) => [`${app}/${one.service}`, stillStarting(one, now)] as const);
    return { actions: isWatched ? withNotes(actions, new Map(notes)) : actions, outcome };
  }
  const errors = await faultActions(box, app, faults);
  box.failedUps.set(app, { why: 'down', digest });
  return { actions: isWatched ? [...actions, ...errors] : actions, outcome: { failure: errors[0]?.detail ?? '' } };
}

function unsavedIn(app: string, containers: readonly Container[], declared: readonly string[] | undefined): Action[] {
  return unsavedVolumes({ containers, declared }).map((at) => ({
    kind: 'warn',
    target: `${app}/${at.service}`,
    detail: `${unnamedText(at)} is in no backup, and lost by a removal: each container of the service has its own`,
  }));
}

async function stopApp(
  box: EngineBox,
  { app, cause, isError }: Extract<Step, { do: 'stop' }>,
  { containers }: Scene,
): Promise<Done> {
  const directory = box.folders.path(app);
  try {
    // Another program could take a published port meanwhile.
    await box.addresses.hold(directory);
    const stopping = stopContainers(box, runningFrom(containers, directory));
    await stopping.finally(() => box.addresses.release(directory));
    await box.observer.look();
  } catch (error) {
    return failed(app, `it cannot be stopped, though ${cause}: ${faultText(box, error)}`);
  }
  const stopped: Action = { kind: 'stop', target: app, detail: `stopped: ${cause}` };
  const actions: Action[] = isError ? [stopped, { kind: 'error', target: app, detail: cause }] : [stopped];
  // A container that ended with status 0 is started again only after a failure.
  return { actions, outcome: { failure: cause } };
}

async function takeDown(
  box: EngineBox,
  { app, project, cause }: Extract<Step, { do: 'down' }>,
  { containers }: Scene,
): Promise<Done> {
  try {
    await box.containers.downByName(project, stopTimeMs(containers.filter((one) => one.project === project)));
    const detail = `project ${project} taken down: ${cause}`;
    return { actions: [{ kind: 'stop', target: app, detail }], outcome: { containers: [] } };
  } catch (error) {
    // The failure concerns no installed app, so the action is not an `error`.
    const detail = `project ${project} is not taken down, though ${cause}: ${faultText(box, error)}`;
    return { actions: [{ kind: 'warn', target: app, detail }] };
  }
}
