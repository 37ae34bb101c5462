import { boxApi } from '../checks/box/api.ts';
import type { Box } from '../checks/box/context.ts';
import type { FaultTable } from './fault.ts';

export const boxFaults: FaultTable<Box> = {
  api: boxApi,
  rows: [],
  unbroken: {},
};
