import { boxApi } from '../checks/box/api.ts';
import type { BoxContext } from '../checks/box/context.ts';
import { changesFaults } from './box-faults-changes.ts';
import { httpFaults } from './box-faults-http.ts';
import { pageFaults } from './box-faults-page.ts';
import { processFaults } from './box-faults-process.ts';
import { readingFaults } from './box-faults-reading.ts';
import { shouldsFaults } from './box-faults-shoulds.ts';
import { updatesFaults } from './box-faults-updates.ts';
import type { FaultTable } from './fault.ts';

export const boxFaults: FaultTable<BoxContext> = {
  api: boxApi,
  rows: [...httpFaults, ...readingFaults, ...changesFaults, ...updatesFaults, ...processFaults, ...shouldsFaults],
  pageRows: pageFaults,
  unbroken: {},
};
