import { join, resolve } from 'node:path';
import type { BackupPlace } from '../../gateway/backup/backup-facts.ts';
import { usualProxy } from '../../gateway/gateway-settings.ts';
import type { NamedRepository } from '../../restic/open-place.ts';
import { domainName, proxyName, storeAddress, subdomain, tunnelNetwork } from './gateway-values.ts';
import { each, httpAddress, isOn, matching, notifyAddress, path, text, wholeNumber } from './parsers.ts';
import { given, listRow, read, readAll, required, row, type Source, said, secretRow } from './setting.ts';
import { sharedSettings } from './shared-settings.ts';

const settingsFile = '/etc/boxgate/gateway.env';

const { host, port, metrics, stateDir, ...shared } = sharedSettings('gateway', 8080);
const needed = required(({ flag, variable }) => `${variable} is required: set it in ${settingsFile} (or ${flag})`);
const neededSecret = required(
  ({ variable }) => `${variable} is required: set it, or ${variable}_FILE to the file that holds it`,
);
const ownStore = said('gateway.db in the state directory', (source) => ({
  kind: 'file' as const,
  path: join(read(stateDir, source), 'gateway.db'),
}));
const ownRoutes = said('routes/ in the state directory', (source) => join(read(stateDir, source), 'routes'));
const entryPoint = proxyName('the name of an entry point');
const resolver = proxyName('the name of a certificate resolver');
const number = wholeNumber(0, 1_000_000);

// biome-ignore format: a setting is a row
export const gatewaySettings = {
  host, port, metrics,
  mode: row('--mode MODE', 'GATEWAY_MODE', text, 'single',
    'the operating mode; in any other than single nothing is registered'),
  store: {
    ...row('--store URL', 'GATEWAY_STORE', storeAddress, ownStore,
      'memory:, file:PATH or postgres://…, without a password'),
    secretHelp: 'the store, in place of --store where its address has a password',
  },
  stateDir,
  tunnelUrl: row('--tunnel-url URL', 'GATEWAY_TUNNEL_URL', httpAddress, needed, 'the tunnel manager (wg-easy)'),
  tunnelUsername: row('--tunnel-username NAME', 'GATEWAY_TUNNEL_USERNAME', matching(/./s, 'a user name'), 'admin',
    'who logs in to a tunnel manager that asks for a name'),
  boxToken: secretRow('GATEWAY_BOX_TOKEN', text, null,
    'the registration token; without it every registration is refused'),
  tunnelPassword: secretRow('GATEWAY_TUNNEL_PASSWORD', text, neededSecret,
    'the password of the tunnel manager; it is required'),
  tunnelNetwork: row('--tunnel-network NETWORK', 'GATEWAY_TUNNEL_NETWORK', tunnelNetwork,
    said('that of wg0 where this machine has it, else 10.8.0.0/24', () => null),
    'the network of the tunnels in the tunnel manager; a box gets an address of it, or cannot join'),
  routesDir: row('--routes-dir DIR', 'GATEWAY_ROUTES_DIR', path, ownRoutes,
    'the directory that the reverse proxy (Traefik) reads'),
  domain: row('--domain NAME', 'GATEWAY_DOMAIN', domainName, needed, 'published hosts are names below it'),
  certResolver: row('--cert-resolver NAME', 'GATEWAY_CERT_RESOLVER', resolver,
    said("none: the proxy's own certificate", () => null), 'the certificate resolver of the reverse proxy'),
  entrypoint: row('--entrypoint NAME', 'GATEWAY_ENTRYPOINT', entryPoint, 'websecure',
    'the entry point of the reverse proxy'),
  proxyApi: row('--proxy-api URL', 'GATEWAY_PROXY_API', httpAddress, 'http://127.0.0.1:8082',
    "where Traefik's API is reached, for the doctor and for the metrics of routes"),
  reservedSubdomains: listRow('--reserved-subdomain NAME', 'GATEWAY_RESERVED_SUBDOMAINS', each(subdomain), [],
    'a subdomain that no box may publish, beside `gateway`; in the variable with commas'),
  boxLimit: row('--box-limit N', 'GATEWAY_BOX_LIMIT', number, 10, 'how many boxes there may be'),
  routeLimit: row('--route-limit N', 'GATEWAY_ROUTE_LIMIT', number, 20, 'how many routes each of them may have'),
};

const copyNeeded = required(({ flag, variable }) => `${flag} is required (or ${variable})`);
// biome-ignore format: a setting is a row
const copyEnd = (end: 'from' | 'to', help: string) => ({
  ...row(`--${end} URL`, `GATEWAY_STORE_${end.toUpperCase()}`, storeAddress, copyNeeded,
    `${help}: file:PATH or postgres://…, without a password`),
  secretHelp: `in place of --${end} where that address has a password`,
});

export const copySettings = {
  from: copyEnd('from', 'the store that is copied; it stays as it is'),
  to: copyEnd('to', 'the empty store that it is copied to'),
};

const { releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds, notify } = shared;
const { store, routesDir, domain } = gatewaySettings;

// biome-ignore format: a setting is a row
export const gatewayUpdateSettings = {
  releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds,
  migrateStore: row('--migrate-store', 'GATEWAY_MIGRATE_STORE', isOn, false,
    'go on with a version that migrates the store'),
  stateDir,
};

// biome-ignore format: a setting is a row
export const proxy = row('--proxy URL', 'GATEWAY_PROXY', httpAddress, usualProxy,
  'where the entry point of the reverse proxy is reached');

const neededNotify = required(({ variable }) => `set ${variable}_FILE in ${settingsFile}`);
export const gatewayNotify = secretRow('GATEWAY_NOTIFY', notifyAddress, neededNotify, notify.help);

/** The last ones are those of `gateway setup`. */
const usualFiles = [
  ...['gateway.env', 'backup.env', 'box-token', 'tunnel-password', 'store-url', 'notify'],
  ...['gateway/.env', 'gateway/dns.env', 'gateway/compose.override.yaml'],
];

const { backupRepository, backupVariables } = shared;
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
  return [...new Set([...usualFiles.map((name) => join('/etc/boxgate', name)), ...named, ...more])];
}
