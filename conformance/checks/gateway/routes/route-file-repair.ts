import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { servesAtOnce } from '../proxy.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/address-of-another',
    ['should/gateway/117'],
    'serves no host of a box whose tunnel address another box has got',
    async (gateway) => {
      const { manager } = gateway.environment;
      const [old, bystander] = [await gateway.box(), await gateway.box()];
      const [, other] = [await gateway.route(old), await gateway.route(bystander)];
      manager.remove(old.peer().id);
      const late = await gateway.box();
      const [freed, given] = [old.peer().address, late.peer().address];
      if (given !== freed) throw new NotApplicable('needs a fake: a tunnel manager that gives a freed address again');
      await servesAtOnce(gateway, [other.host]);
      // An implementation may refuse it.
      await gateway.publish(old);
      const fresh = await gateway.route(late);
      const hosts = [other.host, fresh.host];
      await servesAtOnce(gateway, hosts);
      if (gateway.environment.store !== 'memory') {
        await gateway.restart();
        await servesAtOnce(gateway, hosts);
      }
      await gateway.deregister(old);
      status(await gateway.heartbeat(late), 200);
      equal('peers of the other boxes', manager.clients().length, 2);
      await servesAtOnce(gateway, hosts);
    },
  ),
];
