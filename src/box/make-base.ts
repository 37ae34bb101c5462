import { resolve } from 'node:path';
import { reportFault } from '../http/report.ts';
import { logLine } from '../lib/log-line.ts';
import { makeChanges } from './adapters/changes.ts';
import { dockerEnvironment } from './adapters/docker/docker-environment.ts';
import { makeAppFolders } from './adapters/files/app-folders.ts';
import { makeReconcileRecords, makeStoppedApps } from './adapters/files/apps-file.ts';
import { makeCatalogueFolders } from './adapters/files/catalogue-folders.ts';
import { makeDiskMemory } from './adapters/files/disks.ts';
import { makeSockets } from './adapters/sockets.ts';
import { makeCatalogue } from './app-files/read-apps.ts';
import { withoutSecrets } from './app-files/without-secrets.ts';
import { showOperations } from './apps/operations.ts';
import type { BoxSettings } from './box-settings.ts';
import { makeWorkFolder } from './change/adapters/work-folder.ts';
import type { Containers } from './core.ts';
import { makeAppStates } from './engine/app-states.ts';
import { makeObserver } from './engine/observer.ts';
import type { EngineParts } from './engine/ports.ts';

/** What differs between a box and one in a test. */
export type Outside = Pick<
  ReturnType<typeof outsideOf>,
  'environment' | 'changes' | 'disks' | 'now' | 'pause' | 'warn' | 'report'
>;

export function outsideOf({ stateDir }: BoxSettings) {
  return {
    environment: process.env,
    changes: makeChanges(stateDir),
    disks: makeDiskMemory(stateDir),
    now: () => new Date(),
    pause: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    warn: logLine,
    report: reportFault,
  };
}

export function directoriesOf({ catalogue, bundledApps, installedApps, stateDir }: BoxSettings) {
  const state = resolve(stateDir);
  const own = catalogue.map((directory) => resolve(directory));
  return {
    bundled: makeCatalogueFolders({ own, state, shipped: resolve(bundledApps) }, logLine),
    installed: resolve(installedApps),
    state,
  };
}

/** What the core and the subjects are made from. */
export type Base = ReturnType<typeof makeBase>;

export function makeBase(directories: ReturnType<typeof directoriesOf>, outside: Outside) {
  const folders = makeAppFolders(directories, dockerEnvironment(outside.environment));
  const apps = makeCatalogue(folders, outside.report);
  const records = makeReconcileRecords(directories.state);
  const stopped = makeStoppedApps(directories.state);
  const failedUps: EngineParts['failedUps'] = new Map();
  return {
    ...outside,
    ...{ directories, folders, apps, records, stopped, failedUps },
    stateDirectory: directories.state,
    work: makeWorkFolder(directories.installed),
    states: makeAppStates({ ...outside, folders, apps, records, stopped, failedUps }, outside),
  };
}

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

/** One set of folders for each directory of apps that can be installed, in order. */
export function catalogueDirectories(settings: BoxSettings) {
  return directoriesOf(settings)
    .bundled()
    .map((path) => {
      const folders = makeAppFolders({ installed: path, bundled: () => [] }, dockerEnvironment(process.env));
      return { path, folders, apps: makeCatalogue(folders, reportFault) };
    });
}
