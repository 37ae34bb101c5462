import type { Answer } from '../../../../fakes/wg-easy/handler/request.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { needsLastingStore } from '../shared-fixture.ts';

const peers = (gateway: GatewayContext) => gateway.environment.manager.clients().length;

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel-failures/start-without-manager',
    ['should/gateway/49'],
    'starts while the manager is unreachable, and keeps serving existing boxes',
    async (gateway) => {
      needsLastingStore(gateway);
      const box = await gateway.box();
      const route = await gateway.route(box);
      await gateway.stop();
      await gateway.environment.manager.stop();
      await gateway.start();
      status(await gateway.heartbeat(box), 200);
      equal('routes', (await gateway.routes(box)).length, 1);
      status(await gateway.unpublish(box, route.id), 200);
      await gateway.route(box);
      refused(await gateway.register(), 502);
      await gateway.environment.manager.start();
      await gateway.box();
    },
  ),
  check(
    'gateway/tunnel-failures/deregister-without-manager',
    ['should/gateway/69', 'should/gateway/43'],
    'removes a box while the manager is down, and its peer when it is back, across a restart',
    async (gateway) => {
      needsLastingStore(gateway);
      const { manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '2';
      const [box, other] = [await gateway.box(), await gateway.box()];
      await manager.stop();
      const answer = await gateway.deregister(box);
      status(answer, 200);
      equal('status in the body', record(answer).status, 'ok');
      refused(await gateway.heartbeat(box), 401);
      equal('peers', peers(gateway), 2);
      await gateway.stop();
      await manager.start();
      await gateway.start();
      await until('the peer is removed', () => peers(gateway) === 1, 4000, 60_000);
      equal('the other', manager.clients()[0]?.id, other.peer().id);
      await gateway.box();
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel-failures/left-behind',
    ['should/gateway/42', 'should/gateway/43'],
    'later removes the peer of a failed registration that it could neither list nor remove at once',
    async (gateway) => {
      const { manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '2';
      const box = await gateway.box();
      const change = (answer: Answer) => {
        // From here on, so that a gateway may list the peers before it creates one.
        for (const on of ['list', 'delete'] as const) manager.faults.script({ kind: 'fail-before', on, times: 1000 });
        return { ...answer, status: 500 };
      };
      manager.faults.script({ kind: 'changed', on: 'create', change });
      refused(await gateway.register(), 502);
      equal('peers', peers(gateway), 2);
      manager.faults.clear();
      await until('the peer is removed', () => peers(gateway) === 1, 4000, 60_000);
      equal('the other', manager.clients()[0]?.id, box.peer().id);
      await gateway.box();
      refused(await gateway.register(), 403);
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel-failures/killed-registration',
    ['should/gateway/44'],
    'rolls back an interrupted registration at its next start',
    async (gateway) => {
      needsLastingStore(gateway);
      const { manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '2';
      const box = await gateway.box();
      manager.faults.script({ kind: 'slow', on: 'create', delayMs: 20_000 });
      const cutShort = gateway.register().catch(() => null);
      await until('the peer is made', () => peers(gateway) === 2);
      await gateway.kill();
      await cutShort;
      manager.faults.clear();
      await gateway.start();
      // With a shared store, another gateway could still be completing this registration.
      const longestMs = gateway.environment.store === 'database' ? 100_000 : 20_000;
      await until('its peer is removed', () => peers(gateway) === 1, 4000, longestMs);
      await gateway.box();
      refused(await gateway.register(), 403);
      status(await gateway.heartbeat(box), 200);
    },
    { timeoutMs: 150_000 },
  ),
];
