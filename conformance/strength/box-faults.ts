import { boxApi } from '../checks/box/api.ts';
import type { BoxContext } from '../checks/box/context.ts';
import type { FaultTable } from './fault.ts';

export const boxFaults: FaultTable<BoxContext> = {
  api: boxApi,
  rows: [],
  unbroken: {},
};
