import type { ApiName } from './api.ts';

/** Why no traffic of a whole run shows a point of an OpenAPI document. */
export type CoverageReason = {
  /** The operations for which it may be missing. */
  operations: 'all' | readonly string[];
  point: string;
  reason: string;
};

const unknownFault = 'no request brings an unknown fault about; unit tests do';
const alwaysText = 'what stands in a path is always a text';
const noPath = 'a path with such a segment is no path of the document: it is answered as one that is unknown';
const boxActions = ['heartbeatBox', 'rotateBoxToken', 'deregisterBox'];

export const coverageReasons: Record<ApiName, readonly CoverageReason[]> = {
  box: [
    { operations: 'all', point: '500', reason: unknownFault },
    {
      operations: ['getAppSettings', 'updateAppSettings', 'updateApp'],
      point: 'name type',
      reason: alwaysText,
    },
  ],
  gateway: [
    { operations: 'all', point: '500', reason: unknownFault },
    { operations: boxActions, point: 'box_id type', reason: alwaysText },
    { operations: boxActions, point: 'box_id minLength', reason: noPath },
    { operations: boxActions, point: 'box_id pattern', reason: noPath },
    { operations: ['unpublishRoute'], point: 'route_id type', reason: alwaysText },
    { operations: ['unpublishRoute'], point: 'route_id minLength', reason: noPath },
    { operations: ['unpublishRoute'], point: 'route_id pattern', reason: noPath },
  ],
};
