import { makeSockets } from '../adapters/sockets.ts';
import type { Containers } from '../core.ts';
import type { Base } from '../make-base.ts';
import { makeObserver } from './observer.ts';

export function makeEngine(base: Base, containers: Containers) {
  const { states, disks, stopped, failedUps, folders, report, directories } = base;
  return {
    ...{ states, disks, stopped, failedUps },
    installedApps: directories.installed,
    observer: makeObserver({ containers, folders, states, report }),
    sockets: makeSockets(),
    heldForDisk: new Set<string>(),
    sinceStart: { isReconciled: false },
    retryImages: () => undefined,
  };
}
