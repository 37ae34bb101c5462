import { type ApiContract, type Json, withoutQuery } from '../../kernel/contract.ts';

/** The response contract of the box, without its OpenAPI document. */
export const boxContract: ApiContract = {
  service: 'box',
  parameterForm: '.*',
  pageType: ({ status, path }) =>
    status < 400 && ['/', '/apps', '/apps/'].includes(withoutQuery(path)) ? 'text/html; charset=utf-8' : null,
  /** Removes ports, fields of the update state, and boxgate's own fields of installed apps. */
  relax: ({ components: { schemas } }) => {
    schemas.Port = {};
    schemas.SelfUpdateState = {
      type: 'object',
      additionalProperties: true,
      properties: { stage: { type: 'string' }, reason: { type: 'string' } },
    };
    for (const entry of [schemas.InstalledApp, schemas.BrokenApp]) {
      if (entry === undefined) continue;
      const all = entry.properties as Json;
      const { available_version, state, state_detail, published, open_ports, ...properties } = all;
      const own = Object.keys(properties);
      Object.assign(entry, { properties, required: own });
    }
  },
};
