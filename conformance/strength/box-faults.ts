import { boxApi } from '../box/api.ts';
import type { Box } from '../box/box.ts';
import type { FaultTable } from './fault.ts';

export const boxFaults: FaultTable<Box> = {
  api: boxApi,
  rows: [],
  unbroken: {},
};
