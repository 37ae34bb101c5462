import { notifyAddressFault } from '../../notify/rules/notify-request.ts';
import { shownAddress } from '../../restic/restic-failure.ts';
import { isFeedAddress } from '../../self-update/rules/feed-address.ts';
import type { Service } from '../../self-update/rules/reasons.ts';
import type { UpdateSettings } from '../../self-update/settings.ts';
import {
  expected,
  givenSecret,
  listenAddress,
  matching,
  once,
  path,
  type Secret,
  type Setting,
  type Settings,
  UsageError,
  wholeNumber,
} from './setting.ts';

const listenHost = matching(/^[A-Za-z0-9_.:%-]+$/, 'an address or a host name');
/** The name of a service of systemd. */
const unitName = matching(
  /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,200}\.service$/,
  'the name of a service, such as boxgate-box.service',
);

/** The settings of every server. The variables of a box begin with `BOX_`, those of a gateway with `GATEWAY_`. */
export function serverSettings(service: Service, shownPort: string) {
  const prefix = service.toUpperCase();
  return {
    host: {
      flag: '--host',
      variable: `${prefix}_HOST`,
      argument: 'HOST',
      help: 'the address to listen on',
      shownDefault: '127.0.0.1',
      parse: once(listenHost),
    },
    port: {
      flag: '--port',
      variable: `${prefix}_PORT`,
      argument: 'PORT',
      help: 'the port to listen on, 0 for a free one',
      shownDefault: shownPort,
      parse: once(wholeNumber(0, 65535)),
    },
    metrics: {
      flag: '--metrics',
      variable: `${prefix}_METRICS`,
      argument: 'HOST:PORT',
      help: 'where metrics for Prometheus are served, such as 127.0.0.1:9100',
      shownDefault: 'none',
      parse: once(listenAddress),
    },
  };
}

export function stateDirSetting(service: Service): Setting<string> {
  return {
    flag: '--state-dir',
    variable: `${service.toUpperCase()}_STATE_DIR`,
    argument: 'DIR',
    help: `what the ${service} remembers`,
    shownDefault: '/var/lib/boxgate for root, else boxgate/ in the XDG state directory',
    parse: once(path),
  };
}

/** The characters of a user and a password that restic takes as they are. */
const userInfo = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/** An absolute path, as a relative one would be another folder for each command, or an address of restic. */
export function repositoryAddress(text: string): string {
  if (!/^(?:\/|[a-z][a-z0-9+]*:)[^\0\n\r]+$/.test(text) || text.trim() !== text)
    throw expected('an absolute path or an address of restic, without a space around it', shownAddress(text));
  const [, user] = /:\/\/(.*)@/.exec(text) ?? [];
  // Restic would name the password in its error.
  if (user !== undefined && !userInfo.test(user)) {
    const way = 'write such a character as % and two hex digits, such as %2F for /';
    throw new Error(`the user and password before the @ have a character that an address cannot have: ${way}`);
  }
  return text;
}

export function backupSettings(service: Service): Settings<{ backupRepository: string; backupVariables: string }> {
  const prefix = service.toUpperCase();
  return {
    backupRepository: {
      flag: '--backup-repository',
      variable: `${prefix}_BACKUP_REPOSITORY`,
      argument: 'ADDRESS',
      help: 'where backups go: a folder, or any address that restic takes',
      shownDefault: 'backups/ in the state directory',
      parse: once(repositoryAddress),
    },
    backupVariables: {
      flag: '--backup-variables',
      variable: `${prefix}_BACKUP_VARIABLES`,
      argument: 'FILE',
      help: 'variables for restic, such as the credentials of that address',
      shownDefault: '/etc/boxgate/backup.env',
      parse: once(path),
    },
  };
}

export function updateSettings(service: Service, shownUnit: string): Settings<Omit<UpdateSettings, 'stateDir'>> {
  const prefix = service.toUpperCase();
  return {
    releaseFeed: {
      flag: '--release-feed',
      variable: `${prefix}_RELEASE_FEED`,
      argument: 'URL',
      help: `where newer versions of the ${service} software are announced`,
      shownDefault: 'none',
      parse: once(feedAddress),
    },
    releaseKey: {
      flag: '--release-key',
      variable: `${prefix}_RELEASE_KEY`,
      argument: 'FILE',
      help: 'the public key (PEM) that signs them',
      shownDefault: 'the key of this package',
      parse: once(path),
    },
    softwareDir: {
      flag: '--software-dir',
      variable: `${prefix}_SOFTWARE_DIR`,
      argument: 'DIR',
      help: `the versions of the ${service} software, a directory each`,
      shownDefault: '/opt/boxgate',
      parse: once(path),
    },
    unit: {
      flag: '--unit',
      variable: `${prefix}_UNIT`,
      argument: 'NAME',
      help: `the systemd service that an update of the ${service} software restarts`,
      shownDefault: shownUnit,
      parse: once(unitName),
    },
    updateWaitSeconds: {
      flag: '--update-wait',
      variable: `${prefix}_UPDATE_WAIT`,
      argument: 'SECONDS',
      help: 'how long the new version may take to answer before the old one comes back',
      shownDefault: '60',
      parse: once(wholeNumber(1, 3600)),
    },
  };
}

function feedAddress(text: string): string {
  const url = URL.parse(text);
  // The address appears in process arguments, in errors and in the state that the proxy publishes.
  if (url?.username || url?.password) throw new Error('expected an address without a user name or password');
  if (!isFeedAddress(text)) throw expected('an address that is https:, file: or loopback http:', text);
  return text;
}

/** The address of notifications in the variable or its file; `null` without one. */
export function readNotifyAddress({ variable }: Secret, env: NodeJS.ProcessEnv): string | null {
  const address = givenSecret(variable, env) ?? null;
  const fault = address === null ? null : notifyAddressFault(address);
  if (fault !== null) throw new UsageError(`${variable}: ${fault}`);
  return address;
}
