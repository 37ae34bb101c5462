import { makeSockets } from '../adapters/sockets.ts';
import type { Containers } from '../core.ts';
import type { Base } from '../make-base.ts';
import { makeObserver } from './observer.ts';

export function makeEngine({ states, disks, failedUps, folders, report, directories }: Base, containers: Containers) {
  return {
    ...{ states, disks, failedUps },
    installedApps: directories.installed,
    observer: makeObserver({ containers, folders, states, report }),
    sockets: makeSockets(),
    heldForDisk: new Set<string>(),
    sinceStart: { isReconciled: false },
    retryImages: () => undefined,
  };
}
