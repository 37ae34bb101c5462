import type { Statement } from './rules/statement.ts';
import type { Service } from './rules/update-failed.ts';
import { updateUnit } from './rules/update-state.ts';

export type Product = {
  service: Service;
  job: string;
  /** Unit files of `deploy/` that install.sh copies into the service manager's folder. */
  units: readonly string[];
  /** Throws UpdateFailed if this machine is not ready for the release. */
  admit?: (release: Statement) => Promise<void>;
  /** What the update leaves to its operator; `folder` is that of the new version. */
  remarks?: (folder: string) => Promise<string[]>;
};

export const boxProduct: Product = {
  service: 'box',
  job: updateUnit,
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
};

export const gatewayProduct: Product = {
  service: 'gateway',
  job: 'boxgate-gateway-update.service',
  units: ['boxgate-gateway.service', 'boxgate-gateway-firewall.service'],
};
