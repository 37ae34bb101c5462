import { join } from 'node:path';
import type { GatewayUpdateSettings } from '../../gateway/update-command.ts';
import { packageRoot } from '../../package-root.ts';
import { feedAddress } from './feed-address.ts';
import { gatewaySettings } from './gateway-settings.ts';
import {
  defaultStateDir,
  type GivenFlags,
  given,
  once,
  path,
  type Settings,
  unitName,
  wholeNumber,
} from './setting.ts';

type FlagSettings = Omit<GatewayUpdateSettings, 'stateDir'>;

/** The settings of `gateway update check|apply`, one row each. */
export const gatewayUpdateSettings: Settings<FlagSettings> = {
  releaseFeed: {
    flag: '--release-feed',
    variable: 'GATEWAY_RELEASE_FEED',
    argument: 'URL',
    help: 'where newer versions of the gateway software are announced',
    shownDefault: 'none',
    parse: once(feedAddress),
  },
  releaseKey: {
    flag: '--release-key',
    variable: 'GATEWAY_RELEASE_KEY',
    argument: 'FILE',
    help: 'the public key (PEM) that signs them',
    shownDefault: 'the key of this package',
    parse: once(path),
  },
  softwareDir: {
    flag: '--software-dir',
    variable: 'GATEWAY_SOFTWARE_DIR',
    argument: 'DIR',
    help: 'the versions of the gateway software, a directory each',
    shownDefault: '/opt/boxgate',
    parse: once(path),
  },
  unit: {
    flag: '--unit',
    variable: 'GATEWAY_UNIT',
    argument: 'NAME',
    help: 'the systemd service that an update restarts',
    shownDefault: 'boxgate-gateway.service',
    parse: once(unitName),
  },
  updateWaitSeconds: {
    flag: '--update-wait',
    variable: 'GATEWAY_UPDATE_WAIT',
    argument: 'SECONDS',
    help: 'how long the new version may take to answer before the old one comes back',
    shownDefault: '60',
    parse: once(wholeNumber(1, 3600)),
  },
  migrateStore: {
    flag: '--migrate-store',
    variable: 'GATEWAY_MIGRATE_STORE',
    argument: null,
    help: 'go on with a version that migrates the store',
    shownDefault: 'no',
    parse: once((text) => text === 'true' || text === '1'),
  },
};

/** The settings of an update of a gateway, each from its flag, else from its variable, else the default. */
export function readGatewayUpdateSettings(flags: GivenFlags, env: NodeJS.ProcessEnv): GatewayUpdateSettings {
  const value = <Key extends keyof FlagSettings>(key: Key) => given(gatewayUpdateSettings[key], flags, env);
  return {
    stateDir: given(gatewaySettings.stateDir, flags, env) ?? defaultStateDir(env),
    releaseFeed: value('releaseFeed') ?? null,
    releaseKey: value('releaseKey') ?? join(packageRoot, 'src/box/release-key.pem'),
    softwareDir: value('softwareDir') ?? '/opt/boxgate',
    unit: value('unit') ?? 'boxgate-gateway.service',
    updateWaitSeconds: value('updateWaitSeconds') ?? 60,
    migrateStore: value('migrateStore') ?? false,
  };
}
