import { join } from 'node:path';
import type { GatewayUpdateSettings } from '../../gateway/update-command.ts';
import { packageRoot } from '../../package-root.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { defaultStateDir, type GivenFlags, given, isOn, once, type Settings } from './setting.ts';
import { updateSettings } from './shared-settings.ts';

type FlagSettings = Omit<GatewayUpdateSettings, 'stateDir'>;

export const gatewayUpdateSettings: Settings<FlagSettings> = {
  ...updateSettings('gateway', 'boxgate-gateway.service'),
  migrateStore: {
    flag: '--migrate-store',
    variable: 'GATEWAY_MIGRATE_STORE',
    argument: null,
    help: 'go on with a version that migrates the store',
    shownDefault: 'no',
    parse: once(isOn),
  },
};

/**
 * Reads the settings of a gateway's update. A flag takes precedence over its variable, and the variable over the
 * default.
 */
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
