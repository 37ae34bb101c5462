import type { Api } from '../api.ts';
import { makeBoxWorld } from '../real-parts/box-world.ts';
import { type Box, holdBox } from './box.ts';
import { boxChecks } from './checks.ts';
import { boxContract } from './contract.ts';

export const boxApi: Api<Box> = {
  name: 'box',
  checks: boxChecks,
  makeWorld: ({ parts }) => makeBoxWorld(parts),
  hold: holdBox,
  contract: boxContract,
  smokePath: '/api/apps',
};
