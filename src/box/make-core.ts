import { makeSockets } from './adapters/sockets.ts';
import { withoutSecrets } from './app-files/without-secrets.ts';
import { showOperations } from './apps/operations.ts';
import type { Containers } from './core.ts';
import { makeObserver } from './engine/observer.ts';
import type { Base } from './make-base.ts';

/** What every subject may use. `outer`: the engine's containers, with what subjects do at each change of them. */
export function makeCore(base: Base, outer: Containers) {
  const { apps, folders, records, now, pause, warn, report, changes, states, directories, stateDirectory } = base;
  const { disks, stopped, failedUps } = base;
  const containers = withoutSecrets(outer, { folders, apps, report });
  return {
    ...{ apps, folders, records, containers, now, pause, warn, report, stateDirectory },
    subjects: [],
    ...{ states, disks, stopped, failedUps },
    installedApps: directories.installed,
    observer: makeObserver({ containers, folders, states, report }),
    sockets: makeSockets(),
    heldForDisk: new Set<string>(),
    sinceStart: { isReconciled: false },
    retryImages: () => undefined,
    ...showOperations(changes, changes.told, now, states.refresh),
  };
}
