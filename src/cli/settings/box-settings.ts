import { join, resolve } from 'node:path';
import type { BoxSettings } from '../../box/box-settings.ts';
import { defaultKeep, parseKeep } from '../../box/rules/backup/backups-to-keep.ts';
import { packageRoot } from '../../package-root.ts';
import {
  defaultStateDir,
  expected,
  type GivenFlags,
  given,
  matching,
  once,
  path,
  type Secret,
  type Settings,
  wholeNumber,
} from './setting.ts';
import {
  backupSettings,
  readNotifyAddress,
  serverSettings,
  stateDirSetting,
  updateSettings,
} from './shared-settings.ts';

/** The variable separates directories by colons. */
const cataloguePath = matching(/^[^\0:]+$/, 'a path without a colon');
const allowedHost = matching(/^[A-Za-z0-9_.-]{1,253}$/, 'a host name without a port');

const onOrOff = (text: string): boolean => matching(/^(?:on|off)$/, 'on or off')(text) === 'on';

const keep = (text: string) => {
  const found = text === 'all' ? null : parseKeep(text);
  if (found === undefined) throw expected('all, or numbers such as daily=7,weekly=4,monthly=6,other-days=14', text);
  return found;
};

export const boxSettings: Settings<Omit<BoxSettings, 'notify' | 'console'>> = {
  ...serverSettings('box', '7000'),
  catalogue: {
    flag: '--catalogue',
    variable: 'BOX_CATALOGUE',
    argument: 'DIR',
    help: 'apps of your own, beside the bundled ones; of two of one name the first counts; in the variable with colons',
    shownDefault: 'catalogue/ in the state directory',
    parse: (directories) => directories.filter((directory) => directory !== '').map(cataloguePath),
    repeatable: true,
    separator: ':',
  },
  bundledApps: {
    flag: '--bundled-apps',
    variable: 'BOX_BUNDLED_APPS',
    argument: 'DIR',
    help: 'the apps that ship with the box',
    shownDefault: 'the sample apps of this package',
    parse: once(path),
  },
  installedApps: {
    flag: '--installed-apps',
    variable: 'BOX_INSTALLED_APPS',
    argument: 'DIR',
    help: 'the installed apps',
    shownDefault: 'apps/ in the state directory',
    parse: once(path),
  },
  stateDir: stateDirSetting('box'),
  allowedHosts: {
    flag: '--allowed-host',
    variable: 'BOX_ALLOWED_HOSTS',
    argument: 'NAME',
    help: 'a host name under which the box is reached, beside its local ones; in the variable with commas',
    shownDefault: 'none',
    parse: (names) => names.filter((name) => name !== '').map(allowedHost),
    repeatable: true,
  },
  keepRemovedDays: {
    flag: '--keep-removed-days',
    variable: 'BOX_KEEP_REMOVED_DAYS',
    argument: 'N',
    help: 'how long removed apps are kept, 0 erases them at once',
    shownDefault: '7',
    parse: once(wholeNumber(0, 36500)),
  },
  keepImagesDays: {
    flag: '--keep-images-days',
    variable: 'BOX_KEEP_IMAGES_DAYS',
    argument: 'N',
    help: 'how long images are kept that an update of an app has replaced',
    shownDefault: '7',
    parse: once(wholeNumber(0, 36500)),
  },
  ...backupSettings('box'),
  backupBeforeUpdate: {
    flag: '--backup-before-update',
    variable: 'BOX_BACKUP_BEFORE_UPDATE',
    argument: 'on|off',
    help: 'whether an update or a removal of an app begins with a backup',
    shownDefault: 'on if restic is installed',
    parse: once(onOrOff),
  },
  backupKeep: {
    flag: '--backup-keep',
    variable: 'BOX_BACKUP_KEEP',
    argument: 'NUMBERS',
    help: 'how many backups of each app the schedule keeps, and for how many days those that it did not make; or all',
    shownDefault: 'daily=7,weekly=4,monthly=6,other-days=14',
    parse: once(keep),
  },
  ...updateSettings('box', 'the one that the server runs in'),
};

/** Where notifications go. The address may have a token, so it has no flag. */
export const notifySecret: Secret = {
  variable: 'BOX_NOTIFY',
  help: 'where notifications go: an address of ntfy, Gotify, Discord, Slack or Telegram, or any web-hook that takes text',
};

/** Reads all settings of a box. A flag takes precedence over its variable, and the variable over the default. */
export function readBoxSettings(flags: GivenFlags, env: NodeJS.ProcessEnv): BoxSettings {
  const value = <Key extends keyof typeof boxSettings>(key: Key) => given(boxSettings[key], flags, env);
  const stateDir = value('stateDir') ?? defaultStateDir(env);
  return {
    host: value('host') ?? '127.0.0.1',
    metrics: value('metrics') ?? null,
    port: value('port') ?? 7000,
    // The console refuses wrong values; the box starts with them.
    console: { host: env.BOX_CONSOLE_HOST || '127.0.0.1', port: Number(env.BOX_CONSOLE_PORT) || 7001 },
    catalogue: value('catalogue') ?? [join(stateDir, 'catalogue')],
    bundledApps: value('bundledApps') ?? join(packageRoot, 'src/box/sample-apps'),
    installedApps: value('installedApps') ?? join(stateDir, 'apps'),
    stateDir,
    allowedHosts: value('allowedHosts') ?? [],
    keepRemovedDays: value('keepRemovedDays') ?? 7,
    keepImagesDays: value('keepImagesDays') ?? 7,
    backupRepository: value('backupRepository') ?? join(resolve(stateDir), 'backups'),
    backupVariables: value('backupVariables') ?? '/etc/boxgate/backup.env',
    backupBeforeUpdate: value('backupBeforeUpdate') ?? true,
    backupKeep: given(boxSettings.backupKeep, flags, env) === undefined ? defaultKeep : (value('backupKeep') ?? null),
    notify: readNotifyAddress(notifySecret, env),
    releaseFeed: value('releaseFeed') ?? null,
    releaseKey: value('releaseKey') ?? join(packageRoot, 'src/box/release-key.pem'),
    softwareDir: value('softwareDir') ?? '/opt/boxgate',
    unit: value('unit') ?? null,
    updateWaitSeconds: value('updateWaitSeconds') ?? 60,
  };
}

/** The error does not quote the address, which may have a token. */
