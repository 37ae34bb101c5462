import type { TrustedArchive } from './release-check.ts';
import type { Service } from './rules/reasons.ts';

/** The differences between the programs that update themselves. */
export type Product = {
  service: Service;
  /** The command that serves: its help shows that a new version runs on this machine. */
  serve: readonly string[];
  /** Files of `deploy/` that install.sh copies to where the service manager reads its units. */
  units: readonly string[];
  /** Changes of apps hold a lock in the state directory; an update waits for them. */
  hasChanges: boolean;
  /** Throws UpdateFailed if this machine is not ready for the release. */
  admit?: (archive: TrustedArchive) => Promise<void>;
};

export const boxProduct: Product = {
  service: 'box',
  serve: ['box', 'serve'],
  units: [
    'boxgate-box.service',
    'boxgate-tunnel.service',
    'boxgate-heartbeat.service',
    'boxgate-heartbeat.timer',
  ],
  hasChanges: true,
};

export const gatewayProduct: Product = {
  service: 'gateway',
  serve: ['gateway', 'serve'],
  units: ['boxgate-gateway.service', 'boxgate-gateway-firewall.service'],
  hasChanges: false,
};
