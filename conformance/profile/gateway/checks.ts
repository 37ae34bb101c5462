import type { GatewayContext } from '../../checks/gateway/context.ts';
import type { Check } from '../../kernel/check.ts';
import { checks as documents } from './documents.ts';
import { checks as http } from './http.ts';

/** The checks for what boxgate's own gateway promises beyond the public suite. They run with `--profile boxgate`. */
export const gatewayProfileChecks: Check<GatewayContext>[] = [...documents, ...http];
