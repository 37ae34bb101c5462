import { join, resolve } from 'node:path';
import type { BackupPlace } from '../../gateway/backup/backup-facts.ts';
import type { RepositorySettings } from '../../restic/repository.ts';
import { gatewaySettings, readStoreSettings } from './gateway-settings.ts';
import { type GivenFlags, given, isOn, once, path, type Setting } from './setting.ts';
import { backupSettings } from './shared-settings.ts';

const settingsFolder = '/etc/boxgate';
/** The last ones are those of `gateway setup`. */
const usualFiles = [
  ...['gateway.env', 'backup.env', 'box-token', 'tunnel-password', 'store-url', 'notify'],
  ...['gateway/.env', 'gateway/dns.env', 'gateway/compose.override.yaml'],
];

const wireguardDir: Setting<string> = {
  flag: '--wireguard-dir',
  variable: 'GATEWAY_WIREGUARD_DIR',
  argument: 'DIR',
  help: 'the folder of wg-easy, /etc/wireguard in its container',
  shownDefault: 'found by Docker, if wg-easy is on this machine',
  parse: once(path),
};

const backupAlso: Setting<string[]> = {
  flag: '--backup-also',
  variable: 'GATEWAY_BACKUP_ALSO',
  argument: 'FILE',
  help: 'a file with settings beside those in /etc/boxgate; in the variable with commas',
  shownDefault: 'none',
  parse: (files) => files.filter((file) => file !== '').map((file) => resolve(path(file))),
  repeatable: true,
};

export const keepSettings: Setting<boolean> = {
  flag: '--keep-settings',
  variable: 'GATEWAY_BACKUP_KEEP_SETTINGS',
  argument: null,
  help: 'restore no settings: those of this server stay',
  shownDefault: 'no',
  parse: once(isOn),
};

const { stateDir, store, routesDir, domain } = gatewaySettings;
const { backupRepository, backupVariables } = backupSettings('gateway');

export const repositorySettings = { backupRepository, backupVariables, stateDir };
export const placeSettings = { ...repositorySettings, store, routesDir, wireguardDir, backupAlso };

export function readRepositorySettings(flags: GivenFlags, env: NodeJS.ProcessEnv): RepositorySettings {
  const { stateDir: stateDirectory } = readStoreSettings(flags, env);
  return {
    address: given(backupRepository, flags, env) ?? join(resolve(stateDirectory), 'backups'),
    stateDirectory,
    variablesFile: given(backupVariables, flags, env) ?? join(settingsFolder, 'backup.env'),
  };
}

export function readBackupPlace(flags: GivenFlags, env: NodeJS.ProcessEnv): BackupPlace {
  const { stateDir, store } = readStoreSettings(flags, env);
  return {
    stateDir,
    store,
    routesDir: given(routesDir, flags, env) ?? join(stateDir, 'routes'),
    settingsFiles: settingsFiles(env, given(backupAlso, flags, env) ?? []),
    wireguardDir: given(wireguardDir, flags, env) ?? null,
    domain: given(domain, {}, env) ?? null,
  };
}

/** The usual files, and those that variables of the gateway name. */
function settingsFiles(env: NodeJS.ProcessEnv, more: readonly string[]): string[] {
  const named = Object.entries(env)
    .filter(([name, file = '']) => /^GATEWAY_(\w+_FILE|RELEASE_KEY)$/.test(name) && file.startsWith('/'))
    .map(([, file = '']) => file);
  return [...new Set([...usualFiles.map((name) => join(settingsFolder, name)), ...named, ...more])];
}
