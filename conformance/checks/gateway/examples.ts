import { type Check, check } from '../../kernel/check.ts';
import { examplesOf } from '../../kernel/examples.ts';
import { status } from '../../kernel/expect.ts';
import type { GatewayContext } from './context.ts';
import { shared } from './shared-fixture.ts';

/** The requests of the document's examples, in an order in which each succeeds. */
export const checks: Check<GatewayContext>[] = [
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
