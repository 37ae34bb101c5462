import { resolve } from 'node:path';
import { makeStateDirectory } from '../lib/storage.ts';
import { makeReleaseFeed } from './adapters/release-feed.ts';
import { makeUpdateFiles } from './adapters/update-files.ts';
import { FeedFailed, NoFeed } from './ports.ts';
import { announcedRelease } from './release-check.ts';
import { isNewer } from './rules/release.ts';
import type { UpdateSettings } from './settings.ts';
import { runUpdate } from './updater.ts';

type CheckSettings = Pick<UpdateSettings, 'releaseFeed'>;
type ApplySettings = Pick<UpdateSettings, 'releaseFeed' | 'stateDir'>;

/** What a command has to say, and the exit status that it ends with. */
export type CommandEnd = { status: 0 | 1; text: string };

/** `boxgate box update check`: the running version and the newest one. */
export async function updateCheckCommand(settings: CheckSettings, version: string): Promise<CommandEnd> {
  try {
    const release = await announcedRelease({ releaseFeed: makeReleaseFeed(settings.releaseFeed) });
    const verdict = isNewer(release.version, version) ? 'is available' : 'is no newer than it';
    return { status: 0, text: `version ${version} runs; version ${release.version} ${verdict}` };
  } catch (error) {
    if (error instanceof NoFeed) return { status: 1, text: error.message };
    if (error instanceof FeedFailed) return { status: 1, text: `the update check failed: ${error.message}` };
    throw error;
  }
}

/** `boxgate box update apply`: one update, from its start to its end, written down in the state directory. */
export async function updateApplyCommand(settings: ApplySettings, version: string): Promise<CommandEnd> {
  makeStateDirectory(resolve(settings.stateDir));
  const updateFiles = makeUpdateFiles(settings.stateDir);
  const box = {
    version,
    releaseFeed: makeReleaseFeed(settings.releaseFeed),
    updateFiles,
    now: () => new Date(),
  };
  const end = await runUpdate(box);
  if (end.stage === 'already running') return { status: 1, text: 'an update is already running' };
  if (end.stage === 'rolled_back') return { status: 1, text: `rolled back: ${end.reason}` };
  return { status: 0, text: `done: ${end.message}` };
}
