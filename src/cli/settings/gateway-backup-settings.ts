import { join, resolve } from 'node:path';
import type { BackupPlace } from '../../gateway/backup/backup-facts.ts';
import type { NamedRepository } from '../../restic/open-place.ts';
import { backupRepository, backupVariables, gatewaySettings } from './gateway-settings.ts';
import { each, isOn, path } from './parsers.ts';
import { given, listRow, readAll, row, type Source, said } from './setting.ts';

const settingsFolder = '/etc/boxgate';
/** The last ones are those of `gateway setup`. */
const usualFiles = [
  ...['gateway.env', 'backup.env', 'box-token', 'tunnel-password', 'store-url', 'notify'],
  ...['gateway/.env', 'gateway/dns.env', 'gateway/compose.override.yaml'],
];

const { stateDir, store, routesDir, domain } = gatewaySettings;

export const repositorySettings = { backupRepository, backupVariables, stateDir };
// biome-ignore format: a setting is a row
const ofPlace = {
  stateDir, store, routesDir,
  wireguardDir: row('--wireguard-dir DIR', 'GATEWAY_WIREGUARD_DIR', path,
    said('found by Docker, if wg-easy is on this machine', () => null),
    'the folder of wg-easy, /etc/wireguard in its container'),
  backupAlso: listRow('--backup-also FILE', 'GATEWAY_BACKUP_ALSO', each((file) => resolve(path(file))), [],
    'a file with settings beside those in /etc/boxgate; in the variable with commas'),
};
export const placeSettings = { ...repositorySettings, ...ofPlace };
// biome-ignore format: a setting is a row
export const keepSettings = row('--keep-settings', 'GATEWAY_BACKUP_KEEP_SETTINGS', isOn, false,
  'restore no settings: those of this server stay');

export function readRepositorySettings(source: Source): NamedRepository {
  const { backupRepository: address, backupVariables: variablesFile, stateDir } = readAll(repositorySettings, source);
  return { address, stateDirectory: stateDir, variablesFile };
}

export function readBackupPlace(source: Source): BackupPlace {
  const { backupAlso, ...place } = readAll(ofPlace, source);
  const settingsFiles = filesOf(source.env, backupAlso);
  return { ...place, settingsFiles, domain: given(domain, { flags: {}, env: source.env }) ?? null };
}

/** The usual files, and those that variables of the gateway name. */
function filesOf(env: NodeJS.ProcessEnv, more: readonly string[]): string[] {
  const named = Object.entries(env)
    .filter(([name, file = '']) => /^GATEWAY_(\w+_FILE|RELEASE_KEY)$/.test(name) && file.startsWith('/'))
    .map(([, file = '']) => file);
  return [...new Set([...usualFiles.map((name) => join(settingsFolder, name)), ...named, ...more])];
}
