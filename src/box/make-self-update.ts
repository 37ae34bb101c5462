import { resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { makeKeys } from '../self-update/adapters/keys.ts';
import { makeReleaseFeed } from '../self-update/adapters/release-feed.ts';
import { makeJobs, ownUnit } from '../self-update/adapters/systemd.ts';
import { makeUpdateFiles } from '../self-update/adapters/update-files.ts';
import type { UpdatePorts } from '../self-update/ports.ts';
import type { BoxSettings } from './box-settings.ts';
import { addressText } from './own-names.ts';
import type { SelfUpdateJob } from './self-update.ts';

export function makeSelfUpdate(settings: BoxSettings, now: () => Date): UpdatePorts & SelfUpdateJob {
  return {
    releaseFeed: makeReleaseFeed(settings.releaseFeed, 'box'),
    keys: makeKeys(settings.releaseKey, 'box'),
    platform: `${process.platform}-${process.arch}`,
    jobs: makeJobs(),
    updateFiles: makeUpdateFiles(settings.stateDir),
    version: packageFile.version,
    now,
    command: [process.execPath, process.argv[1] ?? '', 'box', 'update', 'apply'],
    variables: variablesOf(settings),
  };
}

/** The environment variables for an update, which runs outside this process and needs the same settings. */
function variablesOf(settings: BoxSettings): Record<string, string> {
  const variables: Record<string, string> = {
    BOX_HOST: settings.host,
    BOX_PORT: String(settings.port),
    BOX_CATALOGUE: settings.catalogue.map((directory) => resolve(directory)).join(':'),
    BOX_BUNDLED_APPS: resolve(settings.bundledApps),
    BOX_INSTALLED_APPS: resolve(settings.installedApps),
    BOX_STATE_DIR: resolve(settings.stateDir),
    BOX_ALLOWED_HOSTS: settings.allowedHosts.join(','),
    BOX_KEEP_REMOVED_DAYS: String(settings.keepRemovedDays),
    BOX_KEEP_IMAGES_DAYS: String(settings.keepImagesDays),
    BOX_RELEASE_KEY: resolve(settings.releaseKey),
    BOX_SOFTWARE_DIR: resolve(settings.softwareDir),
    BOX_UPDATE_WAIT: String(settings.updateWaitSeconds),
  };
  const unit = settings.unit ?? ownUnit();
  if (unit !== null) variables.BOX_UNIT = unit;
  if (settings.metrics !== null) variables.BOX_METRICS = addressText(settings.metrics);
  if (settings.releaseFeed !== null) variables.BOX_RELEASE_FEED = settings.releaseFeed;
  return variables;
}
