import type { Api } from '../api.ts';
import { makeBoxWorld } from '../real-parts/box-world.ts';
import { type Box, holdBox } from './box.ts';
import { boxChecks } from './checks.ts';
import { boxContract } from './contract.ts';
import { tidyBox } from './tidy.ts';

export const boxApi: Api<Box> = {
  name: 'box',
  checks: boxChecks,
  makeWorld: ({ parts }) => makeBoxWorld(parts),
  hold: holdBox,
  tidy: tidyBox,
  contract: boxContract,
  smokePath: '/api/apps',
};
