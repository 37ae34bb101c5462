import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { fileOf, pathOf, routeFileStates, routeFiles, servesAtOnce } from '../proxy.ts';
import { needsLastingStore } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/names',
    ['choice/gateway/90', 'choice/gateway/91'],
    'has one file for each box with routes, and no others',
    async (gateway) => {
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
      equal('files of boxes without routes', routeFiles(gateway), []);
      const first = await gateway.route(boxes[0]);
      const second = await gateway.route(boxes[0]);
      await gateway.route(boxes[1]);
      equal('files', routeFiles(gateway), [fileOf(boxes[0]), fileOf(boxes[1])].sort());
      equal('mode', (statSync(pathOf(gateway, boxes[0])).mode & 0o777).toString(8), '644');
      status(await gateway.unpublish(boxes[0], first.id), 200);
      equal('files', routeFiles(gateway), [fileOf(boxes[0]), fileOf(boxes[1])].sort());
      status(await gateway.unpublish(boxes[0], second.id), 200);
      equal('files', routeFiles(gateway), [fileOf(boxes[1])]);
      status(await gateway.deregister(boxes[1]), 200);
      equal('files', routeFiles(gateway), []);
    },
  ),
  check(
    'gateway/route-files/at-once',
    ['choice/gateway/93', 'choice/gateway/68'],
    'has written or removed the file when it answers',
    async (gateway) => {
      const box = await gateway.box();
      const routes = [await gateway.route(box)];
      await servesAtOnce(
        gateway,
        routes.map((route) => route.host),
      );
      routes.push(await gateway.route(box));
      await servesAtOnce(
        gateway,
        routes.map((route) => route.host),
      );
      status(await gateway.unpublish(box, routes.shift()?.id ?? ''), 200);
      await servesAtOnce(
        gateway,
        routes.map((route) => route.host),
      );
      status(await gateway.deregister(box), 200);
      await servesAtOnce(gateway, []);
    },
  ),
  check(
    'gateway/route-files/one-event',
    ['choice/gateway/93', 'choice/gateway/92'],
    "causes one event of the proxy's watcher per change, and none otherwise",
    async (gateway) => {
      const { traefik } = gateway.environment;
      const box = await gateway.box();
      const events = async (act: () => Promise<unknown>) => {
        await traefik.settled();
        const before = traefik.events;
        await act();
        await traefik.settled();
        return traefik.events - before;
      };
      let id = '';
      equal('a first publish', await events(async () => (id = (await gateway.route(box)).id)), 1);
      equal('a second publish', await events(() => gateway.route(box)), 1);
      equal('an unpublish', await events(() => gateway.unpublish(box, id)), 1);
      const nothing = [
        () => gateway.heartbeat(box),
        () => gateway.list(box),
        () => gateway.publish(box, { port: 0 }),
        () => gateway.unpublish(box, id),
        () => gateway.box(),
      ];
      for (const act of nothing) equal('what changes no route', await events(act), 0);
      equal('a deregistration', await events(() => gateway.deregister(box)), 1);
      ensure('nothing that the proxy would complain of', traefik.log.length === 0, traefik.log);
    },
  ),
  check(
    'gateway/route-files/same-bytes',
    ['choice/gateway/92', 'choice/gateway/574'],
    'does not write a correct file again: over requests, restarts and changes of other boxes',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(box);
      const before = routeFileStates(gateway);
      const route = await gateway.route(other);
      status(await gateway.unpublish(other, route.id), 200);
      await gateway.heartbeat(box);
      await gateway.rotate(box);
      equal('the file', routeFileStates(gateway), before);
      needsLastingStore(gateway);
      await gateway.restart();
      equal('the file after a restart', routeFileStates(gateway), before);
    },
  ),
  check(
    'gateway/route-files/content',
    ['choice/gateway/94', 'choice/gateway/95', 'choice/gateway/230'],
    'writes a router and a service for each route, a transport with time limits, and only what all versions of the proxy read',
    async (gateway) => {
      const box = await gateway.box();
      const routes = [await gateway.route(box, { port: 81 }), await gateway.route(box, { port: 82 })];
      const text = readFileSync(pathOf(gateway, box), 'utf8');
      ensure('no app name in it', !text.includes('lantern'), text);
      const { http, ...rest } = parse(text) as {
        http: { routers: object; services: object; serversTransports: object };
      };
      equal('beside http', rest, {});
      equal('sections', Object.keys(http).sort(), ['routers', 'serversTransports', 'services']);
      const [[transport, limits] = ['', {}], ...others] = Object.entries(http.serversTransports);
      equal('other transports', others, []);
      equal('its limits', limits, {
        maxIdleConnsPerHost: 200,
        forwardingTimeouts: { dialTimeout: '8s', responseHeaderTimeout: '120s', idleConnTimeout: '4s' },
      });
      const services = http.services as Record<string, unknown>;
      const seen = Object.values(http.routers as Record<string, Record<string, unknown>>).map(
        (router): Record<string, unknown> => {
          const { service, ...others } = router;
          return { ...others, service: services[String(service)] };
        },
      );
      const expected = routes.map(({ host, port }) => ({
        rule: `Host(\`${host}\`)`,
        entryPoints: ['websecure'],
        tls: {},
        service: {
          loadBalancer: {
            servers: [{ url: `http://${box.peer().address}:${port}` }],
            serversTransport: transport,
          },
        },
      }));
      const byRule = (one: Record<string, unknown>, two: Record<string, unknown>) =>
        String(one.rule) < String(two.rule) ? -1 : 1;
      equal('the routes', seen.sort(byRule), expected.sort(byRule));
      equal('services', Object.keys(services).length, 2);
    },
  ),
];
