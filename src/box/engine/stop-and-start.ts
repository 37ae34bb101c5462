import type { ReplacedFolder } from '../change/rules/journal.ts';
import { ContainersFailed, type Core } from '../core.ts';
import type { EngineBox } from './ports.ts';
import { type Container, stopTimeMs } from './rules/container.ts';
import { type StartStep, startOrder, startSteps } from './rules/start-order.ts';

/** Longest wait for containers that were healthy before a stop. Then the others are started all the same. */
const patienceMs = 15_000;
const betweenLooksMs = 500;

/** Stops containers, and keeps them: those that others need stop last. */
export async function stopContainers(box: Pick<Core, 'containers'>, containers: readonly Container[]) {
  for (const group of startOrder(containers).reverse()) {
    await box.containers.stop(
      group.map(({ id }) => id),
      stopTimeMs(group),
    );
  }
}

/**
 * Stops running containers of an app for an operation. The journal says that `startNoted` has to start them again;
 * `folders` are to be discarded then.
 */
export async function stopNoted(
  box: EngineBox,
  app: string,
  ran: readonly Container[],
  { operation, folders = [] }: { operation: string; folders?: ReplacedFolder[] | undefined },
): Promise<void> {
  await box.backup.files.writeJournal({ app, operation, way: 'back', starts: startSteps(ran), folders });
  box.operations.report({ step: 'stopping' });
  // Another program could take a published port meanwhile.
  await box.addresses.hold(box.folders.path(app));
  await stopContainers(box, ran);
}

/**
 * Starts exactly the containers that were stopped, and closes the journal. Returns why one could not be started, `null`
 * if all were. Throws ContainersFailed, and keeps the journal, if the engine does not answer.
 */
export async function startNoted(box: EngineBox, app: string, steps: readonly StartStep[]): Promise<string | null> {
  box.operations.report({ step: 'starting' });
  const failure = await startInOrder(box, steps, patienceMs);
  await box.addresses.release(box.folders.path(app));
  await box.backup.files.writeJournal(null);
  return failure;
}

/**
 * Starts containers, and no others: Compose would also run jobs again that have done their work. Returns why one could
 * not be started, `null` if all were. Throws ContainersFailed if the engine does not answer.
 */
export async function startInOrder(
  box: Pick<EngineBox, 'containers' | 'observer' | 'now' | 'pause'>,
  steps: readonly StartStep[],
  longestMs: number,
): Promise<string | null> {
  const patientUntil = box.now().getTime() + longestMs;
  let failure: string | null = null;
  for (const { ids, healthy } of steps) {
    await box.containers.start(ids).catch((error: unknown) => {
      if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
      failure ??= error.message;
    });
    while (healthy.length > 0 && box.now().getTime() < patientUntil) {
      const { containers } = await box.observer.look();
      if (!containers.some(({ id, health }) => healthy.includes(id) && health === 'starting')) break;
      await box.pause(betweenLooksMs);
    }
  }
  return failure;
}

/** Forgets that its owner has stopped an app: the next reconcile brings it up. Does nothing to any other app. */
export async function forgetStop(box: Pick<EngineBox, 'records' | 'stopped'>, app: string): Promise<void> {
  if (!box.stopped.all().has(app)) return;
  // A container that ended with status 0 counts as one that has done its work, unless a success is still to come.
  await forgetSuccess(box, app);
  await box.stopped.forget(app);
}

/**
 * Whether an app that its owner has stopped runs all the same, as the latest picture has it: it was started by hand, or
 * Docker has started it with itself.
 */
export function isStoppedInVain({ apps, states, stopped }: Pick<EngineBox, 'apps' | 'states' | 'stopped'>): boolean {
  const names = [...stopped.all().keys()];
  if (names.length === 0) return false;
  const shown = states.of(apps.all('installed'));
  return names.some((name) => {
    const { state = 'unknown', stopped_at: at } = shown.get(name) ?? {};
    return state !== 'unknown' && at === undefined;
  });
}

/** The next reconcile brings the app up, even if nothing else asks for it. */
export async function forgetSuccess({ records }: Pick<EngineBox, 'records'>, name: string): Promise<void> {
  const all = records.load();
  const record = all.get(name);
  if (record !== undefined) await records.save(new Map(all).set(name, { ...record, succeeded: null }));
}
