import { openBoxEnvironment } from '../../environments/box-environment.ts';
import type { Api } from '../../run/api.ts';
import { boxChecks } from './checks.ts';
import { type BoxContext, openBoxContext } from './context.ts';
import { boxContract } from './contract.ts';
import { resetBox } from './reset.ts';

export const boxApi: Api<BoxContext> = {
  name: 'box',
  checks: boxChecks,
  makeEnvironment: ({ parts }) => openBoxEnvironment(parts),
  openContext: openBoxContext,
  reset: resetBox,
  contract: boxContract,
  smokePath: '/api/apps',
};
