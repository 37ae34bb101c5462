import type { Check } from '../check.ts';
import type { Gateway } from './gateway.ts';

/** Every check of the gateway: the document's endpoints in their order, and what belongs to no single one. */
export const gatewayChecks: Check<Gateway>[] = [];
