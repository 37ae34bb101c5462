import { readdirSync, watch } from 'node:fs';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/unfinished-files',
    ['should/gateway/600'],
    'shows no unfinished file in the routes directory while it changes routes',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      const { routesDir, traefik } = gateway.environment;
      const named = new Set<string>();
      const watcher = watch(routesDir, (_, name) => name !== null && !name.startsWith('.') && named.add(name));
      const settled = new Set<string>();
      const hosts = new Set<string>();
      /** Names that are there before or after a change belong to no unfinished file. */
      const change = async <T>(act: () => Promise<T>): Promise<T> => {
        for (const name of readdirSync(routesDir)) settled.add(name);
        const done = await act();
        for (const name of readdirSync(routesDir)) settled.add(name);
        return done;
      };
      try {
        const publish = (from: typeof box) =>
          change(async () => {
            const route = await gateway.route(from);
            hosts.add(route.host);
            await serves(gateway, [...hosts]);
            return route;
          });
        const first = await publish(box);
        await publish(box);
        const last = await publish(other);
        await change(async () => {
          status(await gateway.unpublish(box, first.id), 200);
          hosts.delete(first.host);
          await serves(gateway, [...hosts]);
        });
        await change(async () => {
          status(await gateway.deregister(other), 200);
          hosts.delete(last.host);
          await serves(gateway, [...hosts]);
        });
        await traefik.settled();
      } finally {
        watcher.close();
      }
      equal(
        'unfinished files',
        [...named].filter((name) => !settled.has(name)),
        [],
      );
    },
  ),
];
