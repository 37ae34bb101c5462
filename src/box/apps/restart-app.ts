import { shownName } from '../../lib/shown-text.ts';
import { changeInstalled, refuseNotInstalled } from '../app-files/catalogue.ts';
import { faultText } from '../core.ts';
import { containersOf } from '../engine/containers-by-app.ts';
import { diskProblemOf } from '../engine/disks.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Action } from '../engine/rules/actions.ts';
import { resultFor } from '../engine/rules/outcomes.ts';
import { startSteps } from '../engine/rules/start-order.ts';
import { faultActions, watchContainers } from '../engine/stay-up.ts';
import { forgetStop, startNoted, stopNoted } from '../engine/stop-and-start.ts';
import type { Outcome } from '../report.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import type { AppsBox } from './ports.ts';
import { updateAppSettings } from './settings.ts';

/** Stops an app until its owner starts it; after a kill, the next reconcile does. Throws ContainersFailed. */
export function stopApp(box: AppsBox, name: string): Promise<Outcome> {
  return changeInstalled(box, { app: name, kind: 'stop' }, async () => {
    await containersOf(box, name);
    await box.stopped.note(name, box.now().getTime());
    box.operations.report({ step: 'stopping' });
    const failure = (await reconcile(box, name)).find(({ kind, target }) => kind === 'error' && target === name);
    const text =
      failure === undefined ? 'is stopped, and stays so until you start it' : `still runs: ${failure.detail}`;
    return { ok: failure === undefined, text: `${shownName(name)} ${text}` };
  });
}

/** Starts an app, also one that its owner has stopped, as a settings update without settings does. */
export async function startApp(box: AppsBox, name: string): Promise<Outcome> {
  const actions = await updateAppSettings(box, { name, settings: {} });
  return resultFor(name, `${name} was started`, newsOf(name, actions));
}

/** Restarts the running containers of an app. After a kill, the next change or start of the box starts them. */
export function restartApp(box: AppsBox, name: string): Promise<Outcome> {
  return changeInstalled(box, { app: name, kind: 'restart' }, async () => {
    await forgetStop(box, name);
    const faults = await restartContainers(box, name);
    // What was restarted is brought up only for a reason that counts for every app.
    const actions = [...(faults ?? []), ...(await reconcile(box, faults === null ? name : null))];
    return resultFor(name, `${name} was restarted`, newsOf(name, actions));
  });
}

/** What the reconcile has done to other apps is no news, nor that the app was started. */
function newsOf(name: string, actions: readonly Action[]): Action[] {
  const own = actions.filter(({ target }) => target === name || target.startsWith(`${name}/`));
  return own.filter(({ kind }) => ['error', 'skip', 'warn'].includes(kind));
}

/** An error for each service that does not stay up; `null` if nothing ran or could be started. */
async function restartContainers(box: AppsBox, name: string): Promise<Action[] | null> {
  try {
    const ran = (await containersOf(box, name)).filter(isActive);
    if (ran.length === 0) return null;
    const start = () => startNoted(box, name, startSteps(ran));
    await stopNoted(box, name, ran, { operation: 'restart' }).catch(async (error: unknown) => {
      await start();
      throw error;
    });
    if ((await start()) !== null) return null;
    box.operations.report({ step: 'verifying' });
    const errors: Action[] = [];
    for (const project of new Set(ran.map((one) => one.project))) {
      const { faults } = await watchContainers(box, { project, before: ran, by: 'change' });
      errors.push(...(await faultActions(box, name, faults)));
    }
    return errors;
  } catch (error) {
    return [{ kind: 'error', target: name, detail: faultText(box, error) }];
  }
}

/** Takes the folders that an app mounts as they are now, and starts it. */
export function acceptDisks(box: AppsBox, name: string): Promise<Outcome> {
  return box.changes.run(async () => {
    refuseNotInstalled(box, name);
    if (diskProblemOf(box, name) === null) {
      return { ok: false, text: `no disk of ${shownName(name)} is missing` };
    }
    await box.disks.remember(new Map([[name, {}]]));
    return resultFor(name, `${name} takes its folders as they are`, await reconcile(box, name));
  });
}
