import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel/one-line-names',
    ['should/gateway/555'],
    'tells the manager no name with a line break, whatever the name of a box is',
    async (gateway) => {
      const { manager } = gateway.environment;
      for (const line of ['\n', '\r\n', '\r', '\u0085', '\u2028']) {
        const answer = await gateway.register({ box_name: `weir${line}PostUp = touch /tmp/x` });
        if (answer.status !== 201) refused(answer, 400);
      }
      const names = manager.clients().map((client) => String(client.name));
      equal(
        'names with a line break',
        names.filter((name) => /[\r\n\u0085\u2028]/.test(name)),
        [],
      );
    },
    shared,
  ),
  check(
    'gateway/tunnel/peers-of-others',
    ['should/gateway/572'],
    'leaves the peers of others as they are, through changes, failures and restarts',
    async (gateway) => {
      const { manager } = gateway.environment;
      for (const name of ['laptop', 'laptop', 'Sørens bøx', 'box', '']) manager.add(name);
      const foreign = manager.clients();
      const ids = new Set(foreign.map((client) => client.id));
      const others = () => manager.clients().filter((client) => ids.has(client.id));
      const own = () => manager.clients().length - foreign.length;
      const [box, stays] = [await gateway.box('laptop'), await gateway.box('box')];
      status(await gateway.deregister(box), 200);
      await until('the peer is removed', () => own() === 1);
      manager.faults.script({ kind: 'fail-after', on: 'create' });
      const failed = await gateway.register({ box_name: 'laptop' });
      manager.faults.clear();
      const left = failed.status === 201 ? 2 : 1;
      await until('no peer is left behind', () => own() === left);
      await gateway.restart();
      await gateway.box();
      if (gateway.environment.store !== 'memory') status(await gateway.heartbeat(stays), 200);
      equal('the peers of others', others(), foreign);
    },
  ),
];
