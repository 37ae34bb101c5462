/** What an update of the box or of the gateway can be told. */
export type UpdateSettings = {
  stateDir: string;
  /** Null: no feed is configured. */
  releaseFeed: string | null;
  releaseKey: string;
  softwareDir: string;
};
