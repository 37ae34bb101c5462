export type UpdateSettings = {
  stateDir: string;
  /** `null` if no feed is configured. */
  releaseFeed: string | null;
  releaseKey: string;
  softwareDir: string;
  /** The unit to restart; `null` means the unit that the server runs in. */
  unit: string | null;
  /** How long a restarted server may take to answer. */
  updateWaitSeconds: number;
};
