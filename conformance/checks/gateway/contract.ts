import { type ApiContract, type Json, withoutQuery } from '../../kernel/contract.ts';

/** The response contract of the gateway, without its OpenAPI document. */
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
  /** Removes the fields of registration results, publication results and routes. */
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
