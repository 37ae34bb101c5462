import { resolve } from 'node:path';
import type { CommandResult } from '../lib/command-result.ts';
import { makeStateDirectory } from '../lib/files/storage.ts';
import { probeHost } from '../lib/network/probe-host.ts';
import { archives } from './adapters/archives.ts';
import { makeKeys } from './adapters/keys.ts';
import { makeReleaseFeed } from './adapters/release-feed.ts';
import { makeSoftwareFolder } from './adapters/software-folder.ts';
import { makeServiceManager } from './adapters/systemd.ts';
import { makeUnitFiles } from './adapters/unit-files.ts';
import { lockChanges, makeUpdateFiles } from './adapters/update-files.ts';
import type { Stopwatch, UpdaterPorts } from './ports.ts';
import type { Product } from './product.ts';
import { announcedRelease, type TrustedArchive } from './release-check.ts';
import { isNewer } from './rules/release.ts';
import { NoReleaseFeed, type Service, stoppedBy, UpdateFailed } from './rules/update-failed.ts';
import type { UpdateState } from './rules/update-state.ts';
import { runUpdate } from './updater.ts';

export type UpdateSettings = {
  stateDir: string;
  /** `null` if no feed is configured. */
  releaseFeed: string | null;
  releaseKey: string;
  softwareDir: string;
  /** The unit to restart; `null` means the unit that the server runs in. */
  unit: string | null;
  /** How long a restarted server may take to answer. */
  updateWaitSeconds: number;
};

type CheckSettings = Pick<UpdateSettings, 'releaseFeed' | 'releaseKey'>;

/** The folder that the unit files in deploy/ name. */
const installedFolder = '/opt/boxgate';
const answerMs = 3000;

/** `boxgate box update check`: the running version, the newest one, and what is new in it. */
export async function updateCheckCommand(
  service: Service,
  settings: CheckSettings,
  version: string,
  remarks: (archive: TrustedArchive) => string[] = () => [],
): Promise<CommandResult> {
  try {
    const { version: newest, archive } = await announcedRelease(feedPorts(service, settings));
    const isAvailable = isNewer(newest, version);
    const verdict = isAvailable ? 'is available' : 'is no newer than it';
    const { changelog = null } = archive ?? {};
    const notes = changelog === null ? [] : [`changelog: ${changelog}`];
    if (isAvailable && archive !== null) notes.push(...remarks(archive));
    return {
      status: 0,
      text: [`version ${version} runs; version ${newest} ${verdict}`, ...notes].join('\n'),
    };
  } catch (error) {
    if (!(error instanceof UpdateFailed)) throw error;
    const { message } = error;
    return { status: 1, text: error instanceof NoReleaseFeed ? message : `the update check failed: ${message}` };
  }
}

/**
 * `boxgate box update apply`: one update from start to end, with its state in the state directory.
 * @param attempt - the name that a server gave the attempt
 */
export async function updateApplyCommand(
  product: Product,
  settings: UpdateSettings,
  version: string,
  attempt: string | undefined,
): Promise<CommandResult> {
  makeStateDirectory(resolve(settings.stateDir));
  return commandEnd(await runUpdate(updaterPorts(product, settings, version), attempt ?? crypto.randomUUID()));
}

export function commandEnd(end: UpdateState): CommandResult {
  if (end.stage === 'already running') return { status: 1, text: 'an update is already running' };
  if (end.stage === 'rolled_back') {
    const said = end.reason === 'interrupted' ? end.message : end.reason;
    return { status: 1, text: `rolled back: ${said}` };
  }
  return { status: 0, text: `done: ${end.message}` };
}

export const processStopwatch: Stopwatch = {
  elapsed: () => performance.now(),
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
};

function updaterPorts(product: Product, settings: UpdateSettings, version: string): UpdaterPorts {
  const stateDir = resolve(settings.stateDir);
  const softwareDir = resolve(settings.softwareDir);
  const isInstalled = softwareDir === installedFolder && process.getuid?.() === 0;
  return {
    ...feedPorts(product.service, settings),
    version,
    product,
    unit: settings.unit,
    waitSeconds: settings.updateWaitSeconds,
    updateFiles: makeUpdateFiles(stateDir),
    archives,
    software: makeSoftwareFolder(softwareDir),
    // The unit files do not name any other folder.
    unitFiles: makeUnitFiles(softwareDir, isInstalled ? product.units : []),
    ask: (address) => probeHost(address, URL.parse(address)?.host ?? '', { timeoutMs: answerMs }),
    lockChanges: (seconds) => lockChanges(stateDir, seconds),
    stopSignal: untilSignal(),
    stopwatch: processStopwatch,
  };
}

/** The first signal makes the update roll back, a second one ends the process at once. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, () => stop.abort(stoppedBy(name)));
  return stop.signal;
}

function feedPorts(service: Service, { releaseFeed, releaseKey }: CheckSettings) {
  return {
    releaseFeed: makeReleaseFeed(releaseFeed, service),
    keys: makeKeys(releaseKey, service),
    platform: `${process.platform}-${process.arch}`,
    manager: makeServiceManager(),
    now: () => new Date(),
  };
}
