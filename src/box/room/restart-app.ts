import { refuseNotInstalled } from '../apps/catalogue.ts';
import { faultText } from '../apps/fault-text.ts';
import { type ChangeResult, resultFor } from '../apps/removed-apps.ts';
import type { BoxPorts } from '../ports.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import { stopTimeMs } from '../rules/reconcile/container.ts';
import { containersOf } from './containers-of.ts';

/**
 * Stops the containers of an app, then reconciles all apps, which starts them again and watches that they stay up. A
 * restart that a kill cuts off leaves the app stopped until the next change.
 */
export async function restartApp(box: BoxPorts, name: string): Promise<ChangeResult> {
  refuseNotInstalled(box, name);
  const restart = async () => {
    refuseNotInstalled(box, name);
    await box.installFiles.finish(name);
    const stopped = await stop(box, name);
    const actions = [...stopped, ...(await reconcile(box, name))];
    return resultFor(
      name,
      `${name} was restarted`,
      actions.filter((action) => isNews(name, action)),
    );
  };
  return box.changes.run(restart, { app: name, kind: 'restart' });
}

/** That its containers were stopped is no news, nor is what the reconcile has done to other apps. */
function isNews(name: string, { kind, target }: Action): boolean {
  return (target === name || target.startsWith(`${name}/`)) && ['error', 'skip', 'warn'].includes(kind);
}

async function stop(box: BoxPorts, name: string): Promise<Action[]> {
  box.operations.report({ step: 'stopping' });
  try {
    const containers = await containersOf(box, name);
    for (const [project, own] of Map.groupBy(containers, (one) => one.project)) {
      await box.containers.stop(project, stopTimeMs(own));
    }
    return [];
  } catch (error) {
    return [{ kind: 'error', target: name, detail: faultText(box, error) }];
  }
}
