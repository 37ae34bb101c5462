import type { ApiName } from './api.ts';

/** Why no traffic of a whole run shows a point of an OpenAPI document. */
export type CoverageReason = {
  /** The operations for which it may be missing. */
  operations: 'all' | readonly string[];
  point: string;
  reason: string;
};

export const coverageReasons: Record<ApiName, readonly CoverageReason[]> = {
  box: [],
  gateway: [],
};
