import { type ApiContract, withoutQuery } from '../../kernel/contract.ts';

/** The response contract of the box, without its OpenAPI document. */
export const boxContract: ApiContract = {
  service: 'box',
  parameterForm: '.*',
  pageType: ({ status, path }) =>
    status < 400 && ['/', '/apps', '/apps/'].includes(withoutQuery(path)) ? 'text/html; charset=utf-8' : null,
};
