import type { GatewayContext } from '../../checks/gateway/context.ts';
import { shared } from '../../checks/gateway/shared-fixture.ts';
import { followsHttp } from '../../checks/http/cases.ts';
import { type Check, check } from '../../kernel/check.ts';

const service = { get: '/healthz', post: '/v1/boxes/register', maxBodyBytes: 64 * 1024, unknownMethod: 404 };

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/http/corpus',
    ['choice/gateway/16'],
    'refuses or answers any bytes, never with more responses than requests, and keeps serving',
    (gateway) => followsHttp(gateway.raw, service),
    { ...shared, timeoutMs: 90_000 },
  ),
];
