import type { ApiName } from './api.ts';

/** Why a complete run cannot cover a point of an OpenAPI document. */
export type CoverageReason = {
  /** The operations whose point may be missing. */
  operations: 'all' | readonly string[];
  point: string;
  reason: string;
};

const unknownFault = 'no request can cause an unexpected error; unit tests do';
const alwaysText = 'a path parameter is always a string';
const noPath = 'a path with such a segment is not in the document: it is refused as unknown';
const boxActions = ['heartbeatBox', 'rotateBoxToken', 'deregisterBox'];

export const coverageReasons: Record<ApiName, readonly CoverageReason[]> = {
  box: [
    { operations: 'all', point: '500', reason: unknownFault },
    { operations: ['getAppSettings', 'updateAppSettings', 'updateApp'], point: 'name type', reason: alwaysText },
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
