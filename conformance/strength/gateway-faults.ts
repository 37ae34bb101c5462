import { gatewayApi } from '../checks/gateway/api.ts';
import type { Gateway } from '../checks/gateway/context.ts';
import type { FaultTable } from './fault.ts';

export const gatewayFaults: FaultTable<Gateway> = {
  api: gatewayApi,
  rows: [['health-has-more', 'answers /healthz with a further field', 'getHealth/1']],
  unbroken: {},
};
