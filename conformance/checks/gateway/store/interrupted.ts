import { connect } from 'node:net';
import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, refused } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { Caller, GatewayContext } from '../context.ts';
import { serves, servesWhatIsListed } from '../proxy.ts';
import { needsLastingStore } from '../shared-fixture.ts';

const peers = (gateway: GatewayContext) => gateway.environment.manager.clients().length;

/**
 * Registers boxes until the limit is reached. Then every box has to have one peer, and every peer a box. With a store of
 * several processes, an interrupted registration may count towards the limit for a minute.
 */
async function hasOnePeerForEachBox(gateway: GatewayContext, limit: number): Promise<void> {
  await until('the limit is reached', async () => {
    const answer = await gateway.register();
    if (answer.status === 403) refused(answer, 403);
    return answer.status === 403;
  });
  const hasAllPeers = async () => {
    if (peers(gateway) < limit) await gateway.register();
    return peers(gateway) === limit;
  };
  await until(`${limit} boxes have ${limit} peers`, hasAllPeers, 4000, 90_000);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/killed-amid-changes',
    ['should/gateway/573'],
    'has done a change as a whole or not at all after a kill: no peer without a box, no host that no list shows',
    async (gateway) => {
      needsLastingStore(gateway);
      const limit = 12;
      Object.assign(gateway.environment.variables, {
        GATEWAY_BOX_LIMIT: String(limit),
        GATEWAY_ROUTE_LIMIT: '50',
      });
      const boxes: Caller[] = [await gateway.box(), await gateway.box(), await gateway.box(), await gateway.box()];
      const [publisher, swapper, leaver, stays] = boxes as [Caller, Caller, Caller, Caller];
      const swapped = await gateway.route(swapper);
      await gateway.route(leaver);
      await gateway.route(stays);
      const lost = (work: Promise<unknown>) => work.catch(() => null);
      const changes = [
        lost(gateway.register()),
        lost(gateway.register()),
        lost(gateway.deregister(leaver)),
        lost(gateway.unpublish(swapper, swapped.id)),
        ...Array.from({ length: 6 }, () => lost(gateway.publish(publisher))),
      ];
      await Promise.race(changes);
      await gateway.kill();
      await Promise.all(changes);
      await gateway.start();
      const answers = await Promise.all(boxes.map(gateway.heartbeat));
      const left = boxes.filter((_, index) => answers[index]?.status === 200);
      ensure('only the box that left may be gone', left.length >= 3 && left.includes(stays), left.length);
      equal('routes of the box that changed nothing', (await gateway.routes(stays)).length, 1);
      await servesWhatIsListed(gateway, left);
      await hasOnePeerForEachBox(gateway, limit);
    },
    { timeoutMs: 120_000 },
  ),
  check(
    'gateway/registerBox/client-gone-whole',
    ['should/gateway/551'],
    'leaves no peer without a box, and no host that no list shows, if clients disconnect',
    async (gateway) => {
      const limit = 4;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = String(limit);
      const { manager, registrationToken } = gateway.environment;
      const box = await gateway.box();
      manager.faults.script({ kind: 'slow', on: 'create', delayMs: 10_000 });
      const { port } = gateway.subject();
      const leave = (path: string, headers: Record<string, string>, fields: object) => {
        const body = JSON.stringify(fields);
        const lines = Object.entries({ Host: 'x', 'Content-Length': String(body.length), ...headers });
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const socket = connect({ port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`, () => socket.destroy());
      };
      leave('/v1/boxes/register', {}, { registration_token: registrationToken, box_name: 'weir' });
      for (let time = 0; time < 4; time += 1)
        leave('/v1/routes', bearer(box.token), { app_name: 'lantern', subdomain: gateway.label(), port: 80 });
      await until('the peer is made', () => peers(gateway) === 2);
      manager.faults.clear();
      await hasOnePeerForEachBox(gateway, limit);
      await servesWhatIsListed(gateway, [box]);
    },
    { timeoutMs: 120_000 },
  ),
  check(
    'gateway/deregisterBox/while-publishing',
    ['should/gateway/113'],
    'leaves no route of a box that is removed while it publishes',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_ROUTE_LIMIT = '60';
      const other = await gateway.box();
      const names: string[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const box = await gateway.box();
        const subdomains = Array.from({ length: 6 }, gateway.label);
        names.push(...subdomains);
        await gateway.together(() => {
          const publishing = subdomains.map((subdomain) => gateway.publish(box, { subdomain }));
          return [...publishing.slice(0, 3), gateway.deregister(box), ...publishing.slice(3)];
        });
        refused(await gateway.heartbeat(box), 401);
      }
      await serves(gateway, []);
      for (const subdomain of names) await gateway.route(other, { subdomain });
      equal('routes', (await gateway.routes(other)).length, names.length);
    },
    { timeoutMs: 60_000 },
  ),
];
