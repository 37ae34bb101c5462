import { type Check, check } from '../../kernel/check.ts';
import { status } from '../../kernel/expect.ts';
import type { GatewayContext } from './context.ts';
import { shared } from './shared-fixture.ts';

/** An operation, the rules on the form of its result, and requests that succeed. */
type Row = [operation: string, rules: string[], send: (gateway: GatewayContext) => Promise<void>];

const rows: Row[] = [
  ['getHealth', ['gateway/getHealth/1'], async (gateway) => status(await gateway.get('/healthz'), 200)],
  [
    'registerBox',
    ['gateway/registerBox/1', 'gateway/rules/10'],
    async (gateway) => status(await gateway.register(), 201),
  ],
  [
    'heartbeatBox',
    ['gateway/heartbeatBox/1'],
    async (gateway) => status(await gateway.heartbeat(await gateway.box()), 200),
  ],
  [
    'rotateBoxToken',
    ['gateway/rotateBoxToken/1'],
    async (gateway) => status(await gateway.rotate(await gateway.box()), 200),
  ],
  [
    'deregisterBox',
    ['gateway/deregisterBox/1'],
    async (gateway) => status(await gateway.deregister(await gateway.box()), 200),
  ],
  [
    'listRoutes',
    ['gateway/listRoutes/1', 'gateway/listRoutes/2'],
    async (gateway) => {
      const box = await gateway.box();
      await gateway.route(box);
      status(await gateway.list(box), 200);
    },
  ],
  [
    'publishRoute',
    ['gateway/publishRoute/1', 'gateway/rules/11'],
    async (gateway) => status(await gateway.publish(await gateway.box()), 201),
  ],
  [
    'unpublishRoute',
    ['gateway/unpublishRoute/1'],
    async (gateway) => {
      const box = await gateway.box();
      const { id } = await gateway.route(box);
      status(await gateway.unpublish(box, id), 200);
    },
  ],
];

/** The checks of the response contract. They also count the responses that other checks have seen. */
export const checks: Check<GatewayContext>[] = [
  ...rows.map(([operation, rules, send]) =>
    check(
      `gateway/${operation}/body`,
      rules,
      `answers ${operation} with every documented field, of the right type`,
      send,
      { ...shared, verifies: [`body of ${operation}`] },
    ),
  ),
];
