/** Everything that `boxgate box serve` can be told. */
export type BoxSettings = {
  host: string;
  port: number;
  /** Where metrics are served; null: nowhere. */
  metrics: { host: string; port: number } | null;
  /** Directories of the owner's own apps; they come before the bundled ones. */
  catalogue: string[];
  bundledApps: string;
  installedApps: string;
  stateDir: string;
  /** Hosts beyond the box's own names, from `--allowed-host`. */
  allowedHosts: string[];
  keepRemovedDays: number;
  /** Null: no feed is configured. */
  releaseFeed: string | null;
  releaseKey: string;
  softwareDir: string;
  /** The unit that an update restarts; `null`: the one that the server runs in. */
  unit: string | null;
  /** How long a server that an update restarted may take to answer. */
  updateWaitSeconds: number;
};
