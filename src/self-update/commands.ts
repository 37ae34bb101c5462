import { resolve } from 'node:path';
import { makeStateDirectory } from '../lib/storage.ts';
import { makeKeys } from './adapters/keys.ts';
import { makeReleaseFeed } from './adapters/release-feed.ts';
import { makeUpdateFiles } from './adapters/update-files.ts';
import { announcedRelease } from './release-check.ts';
import { UpdateFailed } from './rules/reasons.ts';
import { isNewer } from './rules/release.ts';
import type { UpdateSettings } from './settings.ts';
import { runUpdate } from './updater.ts';

type CheckSettings = Pick<UpdateSettings, 'releaseFeed' | 'releaseKey'>;
type ApplySettings = CheckSettings & Pick<UpdateSettings, 'stateDir'>;

/** What a command has to say, and the exit status that it ends with. */
export type CommandEnd = { status: 0 | 1; text: string };

/** `boxgate box update check`: the running version and the newest one. */
export async function updateCheckCommand(settings: CheckSettings, version: string): Promise<CommandEnd> {
  try {
    const release = await announcedRelease(feedPorts(settings));
    const verdict = isNewer(release.version, version) ? 'is available' : 'is no newer than it';
    return { status: 0, text: `version ${version} runs; version ${release.version} ${verdict}` };
  } catch (error) {
    if (!(error instanceof UpdateFailed)) throw error;
    const { code, message } = error;
    return { status: 1, text: code === 'noFeed' ? message : `the update check failed: ${message}` };
  }
}

/** `boxgate box update apply`: one update, from its start to its end, written down in the state directory. */
export async function updateApplyCommand(settings: ApplySettings, version: string): Promise<CommandEnd> {
  makeStateDirectory(resolve(settings.stateDir));
  const updateFiles = makeUpdateFiles(settings.stateDir);
  const end = await runUpdate({ ...feedPorts(settings), version, updateFiles });
  if (end.stage === 'already running') return { status: 1, text: 'an update is already running' };
  if (end.stage === 'rolled_back') return { status: 1, text: `rolled back: ${end.reason}` };
  return { status: 0, text: `done: ${end.message}` };
}

function feedPorts({ releaseFeed, releaseKey }: CheckSettings) {
  return {
    releaseFeed: makeReleaseFeed(releaseFeed, 'box'),
    keys: makeKeys(releaseKey, 'box'),
    platform: `${process.platform}-${process.arch}`,
    now: () => new Date(),
  };
}
