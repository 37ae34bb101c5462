import { makeBoxWorld } from '../../environments/box-world.ts';
import type { Api } from '../../run/api.ts';
import { boxChecks } from './checks.ts';
import { type Box, holdBox } from './context.ts';
import { boxContract } from './contract.ts';
import { tidyBox } from './reset.ts';

export const boxApi: Api<Box> = {
  name: 'box',
  checks: boxChecks,
  makeWorld: ({ parts }) => makeBoxWorld(parts),
  hold: holdBox,
  tidy: tidyBox,
  contract: boxContract,
  smokePath: '/api/apps',
};
