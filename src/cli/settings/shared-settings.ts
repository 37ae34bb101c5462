import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import {
  feedAddress,
  listenAddress,
  listenHost,
  notifyAddress,
  path,
  repositoryAddress,
  unitName,
  wholeNumber,
} from './parsers.ts';
import { read, row, said, secretRow } from './setting.ts';

/** Settings of a box and of a gateway. The variables of a box begin with `BOX_`, those of a gateway with `GATEWAY_`. */
export function sharedSettings(service: 'box' | 'gateway', port: number) {
  const prefix = service.toUpperCase();
  const root = '/var/lib/boxgate for root, else boxgate/ in the XDG state directory';
  const ownKey = said('the key of this package', () => join(packageRoot, 'src/box/release-key.pem'));
  // biome-ignore format: a setting is a row
  const stateDir = row('--state-dir DIR', `${prefix}_STATE_DIR`, path, said(root, ({ env }) => defaultStateDir(env)),
    `what the ${service} remembers`);
  const backups = said('backups/ in the state directory', (source) => join(resolve(read(stateDir, source)), 'backups'));
  // biome-ignore format: a setting is a row
  return {
    stateDir,
    host: row('--host HOST', `${prefix}_HOST`, listenHost, '127.0.0.1', 'the address to listen on'),
    port: row('--port PORT', `${prefix}_PORT`, wholeNumber(0, 65535), port, 'the port to listen on, 0 for a free one'),
    metrics: row('--metrics HOST:PORT', `${prefix}_METRICS`, listenAddress, null,
      'where metrics for Prometheus are served, such as 127.0.0.1:9100'),
    backupRepository: row('--backup-repository ADDRESS', `${prefix}_BACKUP_REPOSITORY`, repositoryAddress, backups,
      'where backups go: a folder, or any address that restic takes'),
    backupVariables: row('--backup-variables FILE', `${prefix}_BACKUP_VARIABLES`, path, '/etc/boxgate/backup.env',
      'variables for restic, such as the credentials of that address'),
    releaseFeed: row('--release-feed URL', `${prefix}_RELEASE_FEED`, feedAddress, null,
      `where newer versions of the ${service} software are announced`),
    releaseKey: row('--release-key FILE', `${prefix}_RELEASE_KEY`, path, ownKey,
      'the public key (PEM) that signs them'),
    softwareDir: row('--software-dir DIR', `${prefix}_SOFTWARE_DIR`, path, '/opt/boxgate',
      `the versions of the ${service} software, a directory each`),
    unit: row('--unit NAME', `${prefix}_UNIT`, unitName, `boxgate-${service}.service`,
      `the systemd service that an update of the ${service} software restarts`),
    updateWaitSeconds: row('--update-wait SECONDS', `${prefix}_UPDATE_WAIT`, wholeNumber(1, 3600), 60,
      'how long the new version may take to answer before the old one comes back'),
    notify: secretRow(`${prefix}_NOTIFY`, notifyAddress, null,
      'where notifications go: an address of ntfy, Gotify, Discord, Slack or Telegram, or any web-hook that takes text'),
  };
}

function defaultStateDir(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/boxgate';
  const { XDG_STATE_HOME: state = '' } = env;
  // The XDG specification ignores relative paths.
  return join(isAbsolute(state) ? state : join(homedir(), '.local/state'), 'boxgate');
}
