import type { TrustedArchive } from './release-check.ts';
import type { Service } from './rules/update-failed.ts';
import { updateUnit } from './rules/update-state.ts';

export type Product = {
  service: Service;
  /** The unit name of an update. There is one name, so that only one update can run. */
  job: string;
  /** The command that starts the server. If its `--help` works, a new version runs on this machine. */
  serve: readonly string[];
  /** Unit files of `deploy/` that install.sh copies into the service manager's folder. */
  units: readonly string[];
  /** The service of the other program (box or gateway), which may run from the same software folder. */
  neighbour: string;
  /**
   * Whether the program changes apps. Such a change holds a lock in the state directory, and an update waits for it.
   */
  hasChanges: boolean;
  /** Throws UpdateFailed if this machine is not ready for the release. */
  admit?: (archive: TrustedArchive) => Promise<void>;
  /** What the update leaves to its operator; `folder` is that of the new version. */
  remarks?: (folder: string) => Promise<string[]>;
};

export const boxProduct: Product = {
  service: 'box',
  job: updateUnit,
  serve: ['box', 'serve'],
  units: [
    'boxgate-box.service',
    'boxgate-console.service',
    'boxgate-tunnel.service',
    'boxgate-heartbeat.service',
    'boxgate-heartbeat.timer',
    'boxgate-backup.service',
    'boxgate-backup.timer',
    'boxgate-app-updates.service',
    'boxgate-app-updates.timer',
    'boxgate-https.service',
    'boxgate-https.timer',
  ],
  neighbour: 'boxgate-gateway.service',
  hasChanges: true,
};

export const gatewayProduct: Product = {
  service: 'gateway',
  job: 'boxgate-gateway-update.service',
  serve: ['gateway', 'serve'],
  units: ['boxgate-gateway.service', 'boxgate-gateway-firewall.service'],
  neighbour: 'boxgate-box.service',
  hasChanges: false,
};
