import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';
import { routeFiles, serves, servesAtOnce } from '../proxy.ts';
import { needsLastingStore, texts } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/published',
    ['gateway/service/10', 'gateway/service/11', 'gateway/states/8', 'gateway/process/11', 'gateway/process/26'],
    "routes a published host to the box's port, through the proxy alone",
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      const harbour = await gateway.environment.serveApp(one.peer().address, 'harbour');
      const mill = await gateway.environment.serveApp(other.peer().address, 'mill');
      const first = await gateway.route(one, { port: harbour.port });
      const second = await gateway.route(other, { port: mill.port });
      const forge = await gateway.environment.serveApp(one.peer().address, 'forge');
      const third = await gateway.route(one, { port: forge.port });
      await serves(gateway, [first.host, second.host, third.host]);
      equal(
        'a second of one box',
        (await gateway.environment.traefik.ask(third.host)).body,
        `forge GET / for ${third.host}`,
      );
      const asked = await gateway.environment.traefik.ask(first.host, '/a/b?c=d');
      equal('the answer', [asked.status, asked.body], [200, `harbour GET /a/b?c=d for ${first.host}`]);
      equal('the other', (await gateway.environment.traefik.ask(second.host)).body, `mill GET / for ${second.host}`);
      for (const host of [`x${first.host}`, first.subdomain, `${first.host}.x`, gateway.environment.domain]) {
        equal(`status of ${host}`, (await gateway.environment.traefik.ask(host)).status, 404);
      }
    },
  ),
  check(
    'gateway/route-files/withdrawn',
    ['gateway/states/10', 'gateway/service/10', 'gateway/states/3'],
    'withdraws only the host of an unpublished route, and none after a rotation or a heartbeat',
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      const routes = [await gateway.route(one), await gateway.route(one), await gateway.route(other)] as const;
      await serves(
        gateway,
        routes.map((route) => route.host),
      );
      status(await gateway.unpublish(one, routes[0].id), 200);
      await serves(gateway, [routes[1].host, routes[2].host]);
      const fresh = await rotated(gateway, one);
      status(await gateway.heartbeat(fresh), 200);
      await servesAtOnce(gateway, [routes[1].host, routes[2].host]);
      status(await gateway.unpublish(fresh, routes[1].id), 200);
      await serves(gateway, [routes[2].host]);
      status(await gateway.unpublish(other, routes[2].id), 200);
      await serves(gateway, []);
    },
  ),
  check(
    'gateway/route-files/refused',
    ['gateway/states/7', 'gateway/unpublishRoute/3', 'gateway/publishRoute/6'],
    "does not change the proxy's hosts if it refuses a request",
    async (gateway) => {
      gateway.environment.variables.GATEWAY_ROUTE_LIMIT = '1';
      const [box, other] = [await gateway.box(), await gateway.box()];
      const harbour = await gateway.environment.serveApp(box.peer().address, 'harbour');
      const route = await gateway.route(box, { port: harbour.port });
      await serves(gateway, [route.host]);
      refused(await gateway.publish(other, { subdomain: route.subdomain }), 409, texts.subdomain);
      refused(await gateway.publish(box), 403, texts.routeLimit);
      refused(await gateway.publish(other, { port: 0 }), 400);
      refused(await gateway.publish(other, { port: null }), 400);
      refused(await gateway.unpublish(other, route.id), 404, texts.route);
      refused(await gateway.deregister({ id: box.id, token: other.token }), 403, texts.otherBox);
      await servesAtOnce(gateway, [route.host]);
      const asked = await gateway.environment.traefik.ask(route.host);
      equal('who answers', asked.body, `harbour GET / for ${route.host}`);
    },
  ),
  check(
    'gateway/route-files/survive-restart',
    ['gateway/states/8', 'gateway/service/11'],
    'keeps its hosts in the proxy while it is stopped and after a restart',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      await serves(gateway, [route.host]);
      await gateway.stop();
      await servesAtOnce(gateway, [route.host]);
      needsLastingStore(gateway);
      await gateway.start();
      await serves(gateway, [route.host]);
      const later = await gateway.route(box);
      await serves(gateway, [route.host, later.host]);
    },
  ),
  check(
    'gateway/route-files/restart-leads',
    ['gateway/states/8', 'gateway/publishRoute/6', 'gateway/unpublishRoute/3', 'gateway/service/11'],
    'routes hosts of boxes from before a restart correctly, and knows their subdomains',
    async (gateway) => {
      needsLastingStore(gateway);
      const [box, other] = [await gateway.box(), await gateway.box()];
      const harbour = await gateway.environment.serveApp(box.peer().address, 'harbour');
      const route = await gateway.route(box, { port: harbour.port });
      await gateway.restart();
      refused(await gateway.publish(other, { subdomain: route.subdomain }), 409, texts.subdomain);
      refused(await gateway.unpublish(other, route.id), 404, texts.route);
      refused(await gateway.heartbeat({ id: other.id, token: box.token }), 403, texts.otherBox);
      const later = await gateway.route(box, { port: harbour.port });
      await serves(gateway, [route.host, later.host]);
      for (const host of [route.host, later.host]) {
        const { body } = await gateway.environment.traefik.ask(host);
        equal('who answers', body, `harbour GET / for ${host}`);
      }
    },
  ),
  check(
    'gateway/route-files/cert-resolver',
    ['gateway/service/12', 'gateway/process/14'],
    'applies the configured certificate resolver to every route',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_CERT_RESOLVER = 'wharf-letters';
      const [one, other] = [await gateway.box(), await gateway.box()];
      const hosts = [await gateway.route(one), await gateway.route(one), await gateway.route(other)].map((r) => r.host);
      await serves(gateway, hosts);
      const routers = gateway.environment.traefik.routers();
      equal('resolvers', [...new Set(routers.map((router) => router.tls?.certResolver))], ['wharf-letters']);
    },
  ),
  check(
    'gateway/route-files/no-cert-resolver',
    ['gateway/service/13', 'gateway/process/14', 'gateway/process/15'],
    'names no certificate resolver by default, and the entry point websecure',
    async (gateway) => {
      const box = await gateway.box();
      await serves(gateway, [(await gateway.route(box)).host]);
      const routers = gateway.environment.traefik.routers();
      equal(
        'resolvers',
        routers.map((router) => router.tls?.certResolver ?? null),
        routers.map(() => null),
      );
      equal('entry points', [...new Set(routers.flatMap((router) => router.entryPoints))], ['websecure']);
    },
  ),
  check(
    'gateway/route-files/entry-point',
    ['gateway/process/15'],
    'publishes on the configured entry point',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_ENTRYPOINT = 'seaside';
      const box = await gateway.box();
      await serves(gateway, [(await gateway.route(box)).host]);
      const points = gateway.environment.traefik.routers().flatMap((router) => router.entryPoints);
      equal('entry points', [...new Set(points)], ['seaside']);
    },
  ),
  check(
    'gateway/route-files/default-directory',
    ['gateway/process/10', 'gateway/process/8'],
    'writes into routes/ of the state directory by default',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_ROUTES_DIR = undefined;
      const { host } = await gateway.route(await gateway.box());
      const directory = join(gateway.environment.stateDir, 'routes');
      const traefik = await gateway.environment.openTraefik(directory);
      await until('the host is served from there', async () => {
        await traefik.settled();
        return traefik.hosts().includes(host);
      });
      equal('files in the usual directory', routeFiles(gateway), []);
    },
  ),
];
