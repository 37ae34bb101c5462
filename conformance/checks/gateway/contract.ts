import type { ApiContract, Json } from '../../kernel/contract.ts';

/** The response contract of the gateway, without its OpenAPI document. */
export const gatewayContract: ApiContract = {
  service: 'gateway',
  parameterForm: '[^/]+',
  pageType: () => null,
  /** Removes the fields of registration results, publication results and routes. */
  relax: ({ components: { schemas } }) => {
    const open: Json = { type: 'object' };
    Object.assign(schemas, { RegisterResult: open, PublishedRoute: open });
  },
};
