import { makeWorld } from '../../fakes/world.ts';
import type { Api } from '../api.ts';
import { type Box, holdBox } from './box.ts';
import { boxChecks } from './checks.ts';
import { boxContract } from './contract.ts';

export const boxApi: Api<Box> = {
  name: 'box',
  checks: boxChecks,
  makeWorld: () => makeWorld(),
  hold: holdBox,
  contract: boxContract,
  smokePath: '/api/apps',
};
