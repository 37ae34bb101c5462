import { type Check, check } from '../../../kernel/check.ts';
import { refusesLongBodies, refusesOtherProtocols } from '../../http/malformed.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

const operations = [
  ['GET', '/healthz'],
  ['POST', '/v1/boxes/register'],
  ['POST', '/v1/boxes/box_x/heartbeat'],
  ['POST', '/v1/boxes/box_x/rotate-token'],
  ['POST', '/v1/boxes/box_x/deregister'],
  ['GET', '/v1/routes'],
  ['POST', '/v1/routes'],
  ['DELETE', '/v1/routes/rt_x'],
] as const;

/** Rules that apply to every operation, checked for each. */
export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/every-operation/body-limit',
    ['choice/gateway/8'],
    'refuses a body whose announced length is over 64 KiB, at every operation',
    (gateway) => refusesLongBodies(gateway.raw, operations, 65536),
    shared,
  ),
  check(
    'gateway/every-operation/malformed',
    ['choice/gateway/16'],
    'answers 400 to a request that is not HTTP/1.1, at the path of every operation',
    (gateway) => refusesOtherProtocols(gateway.raw, operations),
    shared,
  ),
];
