import { type ApiContract, type Json, withoutQuery } from '../../kernel/contract.ts';

/** How answers of the gateway are judged, beside its OpenAPI document. */
export const gatewayContract: ApiContract = {
  document: 'gateway.openapi.yaml',
  operationOf: (method, target) => {
    const path = withoutQuery(target);
    return table.find(([asked, form]) => asked === method && form.test(path))?.[2] ?? null;
  },
  pageType: () => null,
  rules: {
    contentType: 'gateway/endpoints/7',
    contentLength: 'gateway/endpoints/8',
    error: 'gateway/endpoints/2',
  },
  /** Takes out the fields of the register result, of the publish result and of a route. */
  relax: ({ components: { schemas } }) => {
    const open: Json = { type: 'object' };
    Object.assign(schemas, { RegisterResult: open, Route: open });
  },
};

const table: readonly [method: string, path: RegExp, operationId: string][] = [
  ['GET', /^\/healthz$/, 'getHealth'],
  ['POST', /^\/v1\/boxes\/register$/, 'registerBox'],
  ['POST', /^\/v1\/boxes\/[^/]+\/heartbeat$/, 'heartbeatBox'],
  ['POST', /^\/v1\/boxes\/[^/]+\/rotate-token$/, 'rotateBoxToken'],
  ['POST', /^\/v1\/boxes\/[^/]+\/deregister$/, 'deregisterBox'],
  ['GET', /^\/v1\/routes$/, 'listRoutes'],
  ['POST', /^\/v1\/routes$/, 'publishRoute'],
  ['DELETE', /^\/v1\/routes\/[^/]+$/, 'unpublishRoute'],
];
