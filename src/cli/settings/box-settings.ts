import { join } from 'node:path';
import { defaultKeep, keepText, parseKeep } from '../../box/backup/rules/backups-to-keep.ts';
import type { BoxSettings } from '../../box/box-settings.ts';
import type { ConsoleSettings } from '../../console/server.ts';
import { packageRoot } from '../../package-root.ts';
import { each, expected, matching, path, repositoryAddress, timeOfDay, wholeNumber } from './parsers.ts';
import { listRow, read, readAll, row, type Source, said } from './setting.ts';
import { sharedSettings } from './shared-settings.ts';

/** The variable separates directories by colons. */
const cataloguePath = matching(/^[^\0:]+$/, 'a path without a colon');
const allowedHost = matching(/^[A-Za-z0-9_.-]{1,253}$/, 'a host name without a port');
const onOrOff = (text: string): boolean => matching(/^(?:on|off)$/, 'on or off')(text) === 'on';
const days = wholeNumber(0, 36500);

const usualKeep = keepText(defaultKeep);

function keep(text: string) {
  const found = parseKeep(text);
  if (found === undefined) throw expected(`all, or numbers such as ${usualKeep}`, text);
  return found;
}

const { host, port, metrics, stateDir, backupRepository, backupVariables, ...shared } = sharedSettings('box', 7000);
const ownApps = said('catalogue/ in the state directory', (source) => [join(read(stateDir, source), 'catalogue')]);
const installed = said('apps/ in the state directory', (source) => join(read(stateDir, source), 'apps'));
const sampleApps = said('the sample apps of this package', () => join(packageRoot, 'src/box/sample-apps'));

/** The page sets the place of the backups and how many are kept, unless these do. */
const otherwise = (shown: string) => said(`what is set on the page, at first ${shown}`, () => null);

// biome-ignore format: a setting is a row
export const boxSettings = {
  host, port, metrics,
  catalogue: listRow('--catalogue DIR', 'BOX_CATALOGUE', each(cataloguePath), ownApps,
    'apps of your own, beside the bundled ones; of two of one name the first counts; in the variable with colons', ':'),
  bundledApps: row('--bundled-apps DIR', 'BOX_BUNDLED_APPS', path, sampleApps, 'the apps that ship with the box'),
  installedApps: row('--installed-apps DIR', 'BOX_INSTALLED_APPS', path, installed, 'the installed apps'),
  stateDir,
  allowedHosts: listRow('--allowed-host NAME', 'BOX_ALLOWED_HOSTS', each(allowedHost), [],
    'a host name under which the box is reached, beside its local ones; in the variable with commas'),
  keepRemovedDays: row('--keep-removed-days N', 'BOX_KEEP_REMOVED_DAYS', days, 7,
    'how long removed apps are kept, 0 erases them at once'),
  keepImagesDays: row('--keep-images-days N', 'BOX_KEEP_IMAGES_DAYS', days, 7,
    'how long images are kept that an update of an app has replaced'),
  backupRepository: row('--backup-repository ADDRESS', 'BOX_BACKUP_REPOSITORY', repositoryAddress,
    otherwise('backups/ in the state directory'), backupRepository.help),
  backupVariables,
  backupBeforeUpdate: row('--backup-before-update on|off', 'BOX_BACKUP_BEFORE_UPDATE', onOrOff,
    said('on if restic is installed', () => true), 'whether an update or a removal of an app begins with a backup'),
  backupAt: row('', 'BOX_BACKUP_AT', timeOfDay, otherwise('03:30'), 'when the backups of every night begin'),
  backupKeep: row('--backup-keep NUMBERS', 'BOX_BACKUP_KEEP', keep, otherwise(usualKeep),
    'how many backups of each app the schedule keeps, and for how many days those that it did not make; or all'),
  ...shared,
  unit: { ...shared.unit, usual: said('the one that the server runs in', () => null) },
};

const ofConsole = sharedSettings('box', 7001);
const consoleHost = { ...ofConsole.host, variable: 'BOX_CONSOLE_HOST' };
const consolePort = { ...ofConsole.port, variable: 'BOX_CONSOLE_PORT' };
const { host: _host, port: _port, metrics: _metrics, notify: _notify, ...alsoOfConsole } = boxSettings;

export const consoleSettings = { ...alsoOfConsole, host: consoleHost, port: consolePort };

export function readBoxSettings(source: Source): BoxSettings {
  const { BOX_CONSOLE_HOST, BOX_CONSOLE_PORT } = source.env;
  const usual = readAll({ host: consoleHost, port: consolePort }, { flags: {}, env: {} });
  // The console refuses wrong values; the box starts with them.
  const console = { host: BOX_CONSOLE_HOST || usual.host, port: Number(BOX_CONSOLE_PORT) || usual.port };
  return { ...readAll(boxSettings, source), console };
}

/** The settings of the console: its own address, and for all else those of the box. */
export function readConsoleSettings({ flags, env }: Source): ConsoleSettings {
  const own = { flags, env };
  const ofBox = { flags: { ...flags, [host.flag]: undefined, [port.flag]: undefined }, env };
  return { ...readBoxSettings(ofBox), consoleHost: read(consoleHost, own), consolePort: read(consolePort, own) };
}
