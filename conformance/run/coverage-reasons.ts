import type { ApiName } from './api.ts';

/** Why a complete run cannot cover a point of an OpenAPI document. */
export type CoverageReason = {
  /** The operations whose point may be missing. */
  operations: 'all' | readonly string[];
  point: string;
  reason: string;
};

const unknownFault = 'no request can cause an unexpected error; unit tests do';
const fullQueue = 'only a hundred changes that wait cause it; unit tests do';
const alwaysText = 'a path parameter is always a string';
const noPath = 'a path with such a segment is not in the document: it is refused as unknown';
const ownLimit = "a limit of boxgate's own, whose proof is a unit test";
const ownField = "a field of boxgate's own, which the suite does not send; unit tests do";
const malformed = 'malformed HTTP is tried on other paths';
const boxActions = ['heartbeatBox', 'rotateBoxToken', 'deregisterBox'];
const withBoxToken = [...boxActions, 'listRoutes', 'publishRoute', 'unpublishRoute'];

const ofLogin = ['login type', 'login maxLength', 'login pattern', 'password_hash type', 'password_hash pattern'];
const accessPoints = [' type', ...[...ofLogin, 'allow type', 'open_paths type'].map((point) => `.${point}`)].map(
  (point) => `body.access${point}`,
);

export const coverageReasons: Record<ApiName, readonly CoverageReason[]> = {
  box: [
    { operations: 'all', point: '500', reason: unknownFault },
    { operations: 'all', point: '503', reason: fullQueue },
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
    { operations: withBoxToken, point: '413', reason: ownLimit },
    { operations: withBoxToken.filter((operation) => operation !== 'publishRoute'), point: '400', reason: malformed },
    { operations: ['registerBox'], point: 'body.registration_token type', reason: ownLimit },
    { operations: ['registerBox'], point: 'body.box_name minLength', reason: ownLimit },
    { operations: ['registerBox'], point: 'body.box_name maxLength', reason: ownLimit },
    { operations: ['publishRoute'], point: 'body.app_name maxLength', reason: ownLimit },
    { operations: ['publishRoute'], point: 'body.subdomain maxLength', reason: ownLimit },
    ...accessPoints.map((point) => ({ operations: ['publishRoute'], point, reason: ownField })),
  ],
};
