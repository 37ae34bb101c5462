import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { tunnelWaitMs } from '../shared-fixture.ts';

const peers = (gateway: GatewayContext) => gateway.environment.manager.clients().length;

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel/kept-from-cleaning-up',
    ['should/gateway/42', 'should/gateway/43'],
    'later removes the peer of a failed registration that it could not remove at once',
    async (gateway) => {
      for (const dialect of ['15.4', '14'] as const) {
        const { faults } = await gateway.environment.useManager({ dialect });
        await gateway.box();
        faults.script({ kind: 'fail-after', on: 'create' });
        faults.script({ kind: 'html', on: 'list', times: 1000 });
        refused(await gateway.register(), 502);
        faults.clear();
        await until('the peer is removed', () => peers(gateway) === 1, 4000, 90_000);
        // A gateway that finds the peer in the list may go on with it.
        faults.script({ kind: 'fail-after', on: 'create' });
        faults.script({ kind: 'drop-before', on: 'session' });
        const answer = await gateway.register();
        faults.clear();
        if (answer.status !== 201) refused(answer, 502);
        const expected = answer.status === 201 ? 2 : 1;
        await until('no peer is without a box', () => peers(gateway) === expected, 4000, 90_000);
        await gateway.stop();
      }
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel/hangs-after',
    ['should/gateway/42'],
    'removes a peer that a manager created without a response',
    async (gateway) => {
      const fault = gateway.environment.manager.faults.script({ kind: 'hang-after', on: 'create' });
      refused(await gateway.register(), 502);
      equal('how often it happened', fault.struck(), 1);
      await until('the peer is removed', () => peers(gateway) === 0);
    },
    { timeoutMs: 90_000, requestMs: tunnelWaitMs },
  ),
  check(
    'gateway/tunnel/another-version',
    ['should/gateway/130', 'should/gateway/51'],
    'keeps working if another version of the manager runs at its address',
    async (gateway) => {
      const { environment } = gateway;
      const port = Number(new URL(environment.manager.url).port);
      for (const dialect of ['14', '15.4', '14'] as const) {
        await environment.manager.stop();
        const manager = await environment.useManager({ dialect, port, password: 'the-same-for-every-one' });
        environment.variables.GATEWAY_TUNNEL_PASSWORD = manager.password;
        const box = await gateway.box();
        equal(`peers at version ${dialect}`, peers(gateway), 1);
        status(await gateway.deregister(box), 200);
        await until('its peer is removed', () => peers(gateway) === 0);
      }
    },
    { timeoutMs: 60_000 },
  ),
];
