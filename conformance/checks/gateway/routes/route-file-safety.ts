import { closeSync, openSync, readFileSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { routeFiles, serves, servesAtOnce, servesWhatIsListed } from '../proxy.ts';
import { blockFiles } from './blocked-files.ts';

/** Files that the proxy reads. */
const isRead = (name: string) => /\.(ya?ml|toml)$/i.test(name);

/** Opens the route files as they are now. Returns a function that verifies that nobody wrote into them. */
function holdRouteFiles(gateway: GatewayContext): () => void {
  const held = routeFiles(gateway).map((name) => {
    const path = join(gateway.environment.routesDir, name);
    return { name, before: readFileSync(path, 'utf8'), file: openSync(path, 'r') };
  });
  return () => {
    for (const { name, before, file } of held) {
      const bytes = Buffer.alloc(before.length * 4 + 65_536);
      equal(
        `what a program finds that opened ${name} before the change: the file itself was written, not replaced`,
        bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)),
        before,
      );
      closeSync(file);
    }
  };
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/replaced-as-a-whole',
    ['should/gateway/567'],
    'never lets the proxy read a part of a route file, or a temporary file',
    async (gateway) => {
      await gateway.start();
      const { routesDir, variables } = gateway.environment;
      const settled = new Set(routeFiles(gateway));
      const named = new Set<string>();
      const written = new Set<string>();
      const watcher = watch(routesDir, (event, name) => {
        if (name === null || !isRead(name)) return;
        (event === 'rename' ? named : written).add(name);
      });
      try {
        const change = async (act: () => Promise<unknown>) => {
          const verify = holdRouteFiles(gateway);
          await act();
          verify();
          for (const name of routeFiles(gateway)) settled.add(name);
        };
        const [box, other] = [await gateway.box(), await gateway.box()];
        let id = '';
        await change(async () => (id = (await gateway.route(box)).id));
        await change(() => gateway.route(box));
        await change(() => gateway.route(other));
        await change(() => gateway.unpublish(box, id));
        await change(() => gateway.deregister(other));
        const last = await gateway.route(box);
        for (const name of routeFiles(gateway)) settled.add(name);
        if (gateway.environment.store !== 'memory') {
          variables.GATEWAY_ENTRYPOINT = 'seaside';
          await change(() => gateway.restart());
        }
        ensure('a file was written', settled.size > 0);
        await until('the watcher hears of it', () => named.size > 0);
        await gateway.environment.traefik.settled();
        ensure('the last host is served', gateway.environment.traefik.hosts().includes(last.host));
      } finally {
        watcher.close();
      }
      equal('files written in place', [...written], []);
      equal(
        'temporary files that the proxy reads',
        [...named].filter((name) => !settled.has(name)),
        [],
      );
    },
  ),
  check(
    'gateway/route-files/unwritable-for-a-while',
    ['should/gateway/565'],
    'serves what its lists show after route files could not be changed for a while',
    async (gateway) => {
      const [box, leaver] = [await gateway.box(), await gateway.box()];
      const [first, second] = [await gateway.route(box), await gateway.route(box)];
      const third = await gateway.route(leaver);
      await serves(gateway, [first.host, second.host, third.host]);
      const unblock = blockFiles(routeFiles(gateway).map((name) => join(gateway.environment.routesDir, name)));
      await gateway.publish(box);
      await gateway.unpublish(box, first.id);
      const left = await gateway.deregister(leaver);
      unblock();
      const boxes = left.status === 200 ? [box] : [box, leaver];
      await servesWhatIsListed(gateway, boxes);
      await gateway.route(box);
      await servesWhatIsListed(gateway, boxes);
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/route-files/host-of-a-removed-box',
    ['should/gateway/561'],
    'withdraws the hosts of a box before the manager can give its address to another one',
    async (gateway) => {
      const { manager } = gateway.environment;
      const box = await gateway.box();
      const { address } = box.peer();
      const { host } = await gateway.route(box);
      await serves(gateway, [host]);
      manager.faults.script({ kind: 'slow', on: 'delete', delayMs: 10_000 });
      const answer = gateway.deregister(box);
      await until('the peer is gone', () => manager.clients().every((client) => client.address !== address));
      await servesAtOnce(gateway, []);
      manager.faults.clear();
      status(await answer, 200);
    },
  ),
  check(
    'gateway/publishRoute/other-case',
    ['should/gateway/564'],
    'publishes no second route whose name differs only in case',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      const harbour = await gateway.environment.serveApp(box.peer().address, 'harbour');
      const { subdomain, host } = await gateway.route(box, { port: harbour.port });
      const again = await gateway.publish(other, { subdomain: subdomain.toUpperCase() });
      ensure('a refusal', again.status === 400 || again.status === 409, again.status);
      const upper = await gateway.publish(other, { subdomain: 'Mill-Wheel' });
      if (upper.status === 201) {
        const lower = await gateway.publish(box, { subdomain: 'mill-wheel' });
        ensure('a refusal', lower.status === 400 || lower.status === 409, lower.status);
      }
      await serves(gateway, upper.status === 201 ? [host, `mill-wheel.${gateway.environment.domain}`] : [host]);
      const { body } = await gateway.environment.traefik.ask(host);
      equal('who answers', body, `harbour GET / for ${host}`);
    },
  ),
];
