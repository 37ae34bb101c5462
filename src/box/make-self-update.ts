import { resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { makeKeys } from '../self-update/adapters/keys.ts';
import { makeReleaseFeed } from '../self-update/adapters/release-feed.ts';
import { makeServiceManager, ownUnit } from '../self-update/adapters/systemd.ts';
import { makeUpdateFiles } from '../self-update/adapters/update-files.ts';
import type { UpdatePorts } from '../self-update/ports.ts';
import type { BoxSettings } from './box-settings.ts';
import type { SelfUpdateJob } from './self-update.ts';

export function makeSelfUpdate(settings: BoxSettings, now: () => Date): UpdatePorts & SelfUpdateJob {
  return {
    releaseFeed: makeReleaseFeed(settings.releaseFeed, 'box'),
    keys: makeKeys(settings.releaseKey, 'box'),
    platform: `${process.platform}-${process.arch}`,
    manager: makeServiceManager(),
    updateFiles: makeUpdateFiles(settings.stateDir),
    version: packageFile.version,
    now,
    command: [process.execPath, process.argv[1] ?? '', 'box', 'update', 'apply'],
    variables: variablesOf(settings),
  };
}

/** The settings of an update as variables of its job, which has another environment. */
function variablesOf(settings: BoxSettings): Record<string, string> {
  const variables: Record<string, string> = {
    BOX_STATE_DIR: resolve(settings.stateDir),
    BOX_RELEASE_KEY: resolve(settings.releaseKey),
    BOX_SOFTWARE_DIR: resolve(settings.softwareDir),
    BOX_UPDATE_WAIT: String(settings.updateWaitSeconds),
  };
  const unit = settings.unit ?? ownUnit();
  if (unit !== null) variables.BOX_UNIT = unit;
  if (settings.releaseFeed !== null) variables.BOX_RELEASE_FEED = settings.releaseFeed;
  return variables;
}
