import type { GatewayContext } from '../../checks/gateway/context.ts';
import { shared } from '../../checks/gateway/shared-fixture.ts';
import { type Check, check } from '../../kernel/check.ts';
import { status } from '../../kernel/expect.ts';
import { examplesOf } from '../examples.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/responses/document',
    ['choice/gateway/660'],
    'sends no field, type or header that gateway.openapi.yaml does not have, and leaves out none',
    async (gateway) => status(await gateway.get('/healthz'), 200),
    { ...shared, verifies: ['document', 'headers', 'cors'] },
  ),
  check(
    'gateway/responses/examples',
    ['choice/gateway/661'],
    'answers the example requests of gateway.openapi.yaml in the form of its example results',
    async (gateway) => {
      const { request, resembles } = examplesOf('gateway');
      resembles('getHealth', await gateway.get('/healthz'));
      const { registration_token: _, ...registration } = request('registerBox');
      const registered = await gateway.register(registration);
      status(registered, 201);
      resembles('registerBox', registered);
      const box = await gateway.box();
      resembles('heartbeatBox', await gateway.heartbeat(box));
      const published = await gateway.publish(box, request('publishRoute'));
      status(published, 201);
      resembles('publishRoute', published);
      resembles('listRoutes', await gateway.list(box));
      const { id } = published.json as { id: string };
      resembles('unpublishRoute', await gateway.unpublish(box, id));
      resembles('deregisterBox', await gateway.deregister(box));
      const other = await gateway.box();
      resembles('rotateBoxToken', await gateway.rotate(other));
    },
    shared,
  ),
];
