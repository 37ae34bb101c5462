import type { ApiContract } from '../../kernel/contract.ts';

/** The response contract of the gateway, without its OpenAPI document. */
export const gatewayContract: ApiContract = {
  service: 'gateway',
  parameterForm: '[^/]+',
  pageType: () => null,
};
