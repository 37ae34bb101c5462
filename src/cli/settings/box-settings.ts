import { join } from 'node:path';
import type { BoxSettings } from '../../box/box-settings.ts';
import { packageRoot } from '../../package-root.ts';
import { feedAddress } from './feed-address.ts';
import {
  defaultStateDir,
  expected,
  type GivenFlags,
  given,
  listenAddress,
  listenHost,
  once,
  path,
  type Settings,
  unitName,
  wholeNumber,
} from './setting.ts';

/** The settings of the commands of a box, one row each. */
export const boxSettings: Settings<BoxSettings> = {
  host: {
    flag: '--host',
    variable: 'BOX_HOST',
    argument: 'HOST',
    help: 'the address to listen on',
    shownDefault: '127.0.0.1',
    parse: once(listenHost),
  },
  port: {
    flag: '--port',
    variable: 'BOX_PORT',
    argument: 'PORT',
    help: 'the port to listen on, 0 for a free one',
    shownDefault: '7000',
    parse: once(wholeNumber(0, 65535)),
  },
  metrics: {
    flag: '--metrics',
    variable: 'BOX_METRICS',
    argument: 'HOST:PORT',
    help: 'where metrics for Prometheus are served, such as 127.0.0.1:9100',
    shownDefault: 'none',
    parse: once(listenAddress),
  },
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
  stateDir: {
    flag: '--state-dir',
    variable: 'BOX_STATE_DIR',
    argument: 'DIR',
    help: 'what the box remembers',
    shownDefault: '/var/lib/boxgate for root, else boxgate/ in the XDG state directory',
    parse: once(path),
  },
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
  releaseFeed: {
    flag: '--release-feed',
    variable: 'BOX_RELEASE_FEED',
    argument: 'URL',
    help: 'where newer versions of the box software are announced',
    shownDefault: 'none',
    parse: once(feedAddress),
  },
  releaseKey: {
    flag: '--release-key',
    variable: 'BOX_RELEASE_KEY',
    argument: 'FILE',
    help: 'the public key (PEM) that signs them',
    shownDefault: 'the key of this package',
    parse: once(path),
  },
  softwareDir: {
    flag: '--software-dir',
    variable: 'BOX_SOFTWARE_DIR',
    argument: 'DIR',
    help: 'the versions of the box software, a directory each',
    shownDefault: '/opt/boxgate',
    parse: once(path),
  },
  unit: {
    flag: '--unit',
    variable: 'BOX_UNIT',
    argument: 'NAME',
    help: 'the systemd service that an update of the box software restarts',
    shownDefault: 'the one that the server runs in',
    parse: once(unitName),
  },
  updateWaitSeconds: {
    flag: '--update-wait',
    variable: 'BOX_UPDATE_WAIT',
    argument: 'SECONDS',
    help: 'how long the new version may take to answer before the old one comes back',
    shownDefault: '60',
    parse: once(wholeNumber(1, 3600)),
  },
};

/** All settings of a box: each from its flag, else from its variable, else the default. */
export function readBoxSettings(flags: GivenFlags, env: NodeJS.ProcessEnv): BoxSettings {
  const value = <Key extends keyof BoxSettings>(key: Key) => given(boxSettings[key], flags, env);
  const stateDir = value('stateDir') ?? defaultStateDir(env);
  return {
    host: value('host') ?? '127.0.0.1',
    metrics: value('metrics') ?? null,
    port: value('port') ?? 7000,
    catalogue: value('catalogue') ?? [join(stateDir, 'catalogue')],
    bundledApps: value('bundledApps') ?? join(packageRoot, 'src/box/sample-apps'),
    installedApps: value('installedApps') ?? join(stateDir, 'apps'),
    stateDir,
    allowedHosts: value('allowedHosts') ?? [],
    keepRemovedDays: value('keepRemovedDays') ?? 7,
    releaseFeed: value('releaseFeed') ?? null,
    releaseKey: value('releaseKey') ?? join(packageRoot, 'src/box/release-key.pem'),
    softwareDir: value('softwareDir') ?? '/opt/boxgate',
    unit: value('unit') ?? null,
    updateWaitSeconds: value('updateWaitSeconds') ?? 60,
  };
}

function cataloguePath(text: string): string {
  if (text.includes(':')) throw expected('a path without a colon', text); // A variable separates directories by colons, so it could not name this one.
  return path(text);
}

function allowedHost(text: string): string {
  if (!/^[A-Za-z0-9_.-]{1,253}$/.test(text)) throw expected('a host name without a port', text);
  return text;
}
