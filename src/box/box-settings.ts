import type { Keep } from './backup/rules/backups-to-keep.ts';

export type BoxSettings = {
  host: string;
  port: number;
  console: { host: string; port: number };
  /** The address of the metrics server; `null` if metrics are off. */
  metrics: { host: string; port: number } | null;
  /** Directories of the owner's own apps, which come before the bundled ones. */
  catalogue: string[];
  bundledApps: string;
  installedApps: string;
  stateDir: string;
  /** Further host names of the box, from `--allowed-host`. */
  allowedHosts: string[];
  keepRemovedDays: number;
  keepImagesDays: number;
  /** The address of the repository of backups, as restic takes it; `null` if the page sets it. */
  backupRepository: string | null;
  /** A file with variables for restic, for that address. */
  backupVariables: string;
  /** Whether updates and removals begin with a backup, if restic is there. */
  backupBeforeUpdate: boolean;
  /** When the backups of every night begin, as `03:30`; `null` if the page sets it. */
  backupAt: string | null;
  /** Which backups are kept; `null` if the page sets it. */
  backupKeep: Keep | null;
  /** Where notifications go, a secret; `null` if no address is set. */
  notify: string | null;
  /** `null` if no feed is configured. */
  releaseFeed: string | null;
  releaseKey: string;
  softwareDir: string;
  /** The unit that an update restarts; `null` means the unit that the server runs in. */
  unit: string | null;
  /** Time limit for the first response of a server that an update restarted. */
  updateWaitSeconds: number;
};
