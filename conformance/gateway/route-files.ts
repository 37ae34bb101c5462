import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Check, check } from '../check.ts';
import { equal, holds, matches, record, refused, status } from '../expect.ts';
import { until } from '../observe.ts';
import { startAndEnd } from '../process.ts';
import type { Gateway, LiveBox } from './gateway.ts';
import { routeFileStates, routeFiles, serves, servesAtOnce } from './proxy.ts';
import { needsLastingStore, needsOwnStore, texts } from './town.ts';

const fileOf = (box: LiveBox) => `boxgate-${box.id}.yml`;
const pathOf = (gateway: Gateway, box: LiveBox) => join(gateway.world.routesDir, fileOf(box));

/** What the proxy reads: published hosts answer with the box's app, others do not. */
export const checks: Check<Gateway>[] = [
  check(
    'gateway/route-files/published',
    [
      'gateway/service/10',
      'gateway/service/11',
      'gateway/states/8',
      'gateway/process/11',
      'gateway/process/26',
    ],
    'makes a published host lead to the port of the box, through the proxy alone',
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      const harbour = await gateway.world.serveApp(one.peer().address, 'harbour');
      const mill = await gateway.world.serveApp(other.peer().address, 'mill');
      const first = await gateway.route(one, { port: harbour.port });
      const second = await gateway.route(other, { port: mill.port });
      await serves(gateway, [first.host, second.host]);
      const asked = await gateway.world.traefik.ask(first.host, '/a/b?c=d');
      equal('the answer', [asked.status, asked.body], [200, `harbour GET /a/b?c=d for ${first.host}`]);
      equal(
        'the other',
        (await gateway.world.traefik.ask(second.host)).body,
        `mill GET / for ${second.host}`,
      );
      for (const host of [`x${first.host}`, first.subdomain, `${first.host}.x`, gateway.world.domain]) {
        equal(`status of ${host}`, (await gateway.world.traefik.ask(host)).status, 404);
      }
    },
  ),
  check(
    'gateway/route-files/withdrawn',
    ['gateway/states/10', 'gateway/service/10'],
    'withdraws the host of a removed route, and no other',
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      const routes = [
        await gateway.route(one),
        await gateway.route(one),
        await gateway.route(other),
      ] as const;
      await serves(
        gateway,
        routes.map((route) => route.host),
      );
      status(await gateway.unpublish(one, routes[0].id), 200);
      await serves(gateway, [routes[1].host, routes[2].host]);
      status(await gateway.unpublish(one, routes[1].id), 200);
      await serves(gateway, [routes[2].host]);
      status(await gateway.unpublish(other, routes[2].id), 200);
      await serves(gateway, []);
    },
  ),
  check(
    'gateway/route-files/refused',
    ['gateway/states/7', 'gateway/unpublishRoute/3', 'gateway/publishRoute/6'],
    'leaves the hosts of the proxy as they are when it refuses something',
    async (gateway) => {
      gateway.world.variables.GATEWAY_ROUTE_LIMIT = '1';
      const [box, other] = [await gateway.box(), await gateway.box()];
      const route = await gateway.route(box);
      await serves(gateway, [route.host]);
      refused(await gateway.publish(other, { subdomain: route.subdomain }), 409, texts.subdomain);
      refused(await gateway.publish(box), 403, texts.routeLimit);
      refused(await gateway.publish(other, { port: 0 }), 400);
      refused(await gateway.publish(other, { port: null }), 400);
      refused(await gateway.unpublish(other, route.id), 404, texts.route);
      refused(await gateway.deregister({ id: box.id, token: other.token }), 403, texts.otherBox);
      await servesAtOnce(gateway, [route.host]);
    },
  ),
  check(
    'gateway/route-files/survive-restart',
    ['gateway/states/8', 'gateway/service/11'],
    'keeps its hosts in the proxy while it is stopped and after it was started again',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      await serves(gateway, [route.host]);
      await gateway.stop();
      await servesAtOnce(gateway, [route.host]);
      needsLastingStore(gateway);
      await gateway.start();
      await servesAtOnce(gateway, [route.host]);
      const later = await gateway.route(box);
      await serves(gateway, [route.host, later.host]);
    },
  ),
  check(
    'gateway/route-files/cert-resolver',
    ['gateway/service/12', 'gateway/process/14'],
    'applies the configured certificate resolver to every route',
    async (gateway) => {
      gateway.world.variables.GATEWAY_CERT_RESOLVER = 'wharf-letters';
      const [one, other] = [await gateway.box(), await gateway.box()];
      const hosts = [await gateway.route(one), await gateway.route(one), await gateway.route(other)].map(
        (r) => r.host,
      );
      await serves(gateway, hosts);
      const routers = gateway.world.traefik.routers();
      equal('resolvers', [...new Set(routers.map((router) => router.tls?.certResolver))], ['wharf-letters']);
    },
  ),
  check(
    'gateway/route-files/no-cert-resolver',
    ['gateway/service/13', 'gateway/process/14', 'gateway/process/15'],
    'names no certificate resolver where none is configured, and the entry point websecure where none is set',
    async (gateway) => {
      const box = await gateway.box();
      await serves(gateway, [(await gateway.route(box)).host]);
      const routers = gateway.world.traefik.routers();
      equal(
        'resolvers',
        routers.map((router) => router.tls?.certResolver ?? null),
        routers.map(() => null),
      );
      equal('entry points', [...new Set(routers.flatMap((router) => router.entryPoints))], ['websecure']);
      equal('what the proxy complains of', gateway.world.traefik.log, []);
    },
  ),
  check(
    'gateway/route-files/entry-point',
    ['gateway/process/15'],
    'publishes on the entry point that it is told',
    async (gateway) => {
      gateway.world.variables.GATEWAY_ENTRYPOINT = 'seaside';
      const box = await gateway.box();
      await serves(gateway, [(await gateway.route(box)).host]);
      const points = gateway.world.traefik.routers().flatMap((router) => router.entryPoints);
      equal('entry points', [...new Set(points)], ['seaside']);
    },
  ),
  check(
    'gateway/route-files/default-directory',
    ['gateway/process/10', 'gateway/process/8'],
    'writes into routes/ of the state directory when it is told no other place',
    async (gateway) => {
      gateway.world.variables.GATEWAY_ROUTES_DIR = undefined;
      const { host } = await gateway.route(await gateway.box());
      const directory = join(gateway.world.stateDir, 'routes');
      const traefik = await gateway.world.openTraefik(directory);
      await until('the host is served from there', async () => {
        await traefik.settled();
        return traefik.hosts().includes(host);
      });
      equal('files in the usual directory', routeFiles(gateway), []);
    },
  ),
  check(
    'gateway/route-files/names',
    ['choice/gateway/90', 'choice/gateway/91'],
    'has one file for each box with routes and none for others',
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
    'has the file in place, or away, when it answers',
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
    'lets the proxy see one event for a change, and none for anything else',
    async (gateway) => {
      const { traefik } = gateway.world;
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
      holds('nothing that the proxy would complain of', traefik.log.length === 0, traefik.log);
    },
  ),
  check(
    'gateway/route-files/same-bytes',
    ['choice/gateway/92', 'choice/gateway/98'],
    'leaves a file alone that is as it should be: over requests, restarts and changes of other boxes',
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
    ['choice/gateway/94', 'choice/gateway/95'],
    'holds a router and a service for each route, and nothing that only one version of the proxy reads',
    async (gateway) => {
      const box = await gateway.box();
      const routes = [await gateway.route(box, { port: 81 }), await gateway.route(box, { port: 82 })];
      const text = readFileSync(pathOf(gateway, box), 'utf8');
      holds('no app name in it', !text.includes('lantern'), text);
      const { http, ...rest } = parse(text) as { http: { routers: object; services: object } };
      equal('beside http', rest, {});
      equal('beside routers and services', Object.keys(http).sort(), ['routers', 'services']);
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
        service: { loadBalancer: { servers: [{ url: `http://${box.peer().address}:${port}` }] } },
      }));
      const byRule = (one: Record<string, unknown>, two: Record<string, unknown>) =>
        String(one.rule) < String(two.rule) ? -1 : 1;
      equal('the routes', seen.sort(byRule), expected.sort(byRule));
      equal('services', Object.keys(services).length, 2);
    },
  ),
  check(
    'gateway/route-files/changed-settings',
    ['choice/gateway/95', 'choice/gateway/98'],
    'writes the files anew at a start that was told other settings',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      await gateway.stop();
      needsLastingStore(gateway);
      Object.assign(gateway.world.variables, {
        GATEWAY_CERT_RESOLVER: 'wharf-letters',
        GATEWAY_ENTRYPOINT: 'seaside',
        GATEWAY_DOMAIN: 'elsewhere.example',
      });
      await gateway.start();
      await servesAtOnce(gateway, [`${route.subdomain}.elsewhere.example`]);
      const [router] = gateway.world.traefik.routers();
      equal('resolver', router?.tls?.certResolver, 'wharf-letters');
      equal('entry points', router?.entryPoints, ['seaside']);
      equal('host in the list', (await gateway.routes(box))[0]?.host, `${route.subdomain}.elsewhere.example`);
    },
  ),
  check(
    'gateway/route-files/foreign-files',
    ['choice/gateway/97'],
    'never touches other files of the directory',
    async (gateway) => {
      const { routesDir } = gateway.world;
      const foreign = [
        'operator.yml',
        'boxgate.yml',
        'Boxgate-box_1.yml',
        'zz-boxgate-x.yml',
        'notes.txt',
        '.hidden.yml',
      ];
      for (const name of foreign) writeFileSync(join(routesDir, name), `# ${name}\n`);
      mkdirSync(join(routesDir, 'operators'));
      writeFileSync(join(routesDir, 'operators', 'boxgate-box_1.yml'), '# deep\n');
      const states = () => {
        const all = routeFileStates(gateway);
        return foreign.map((name) => all[name]);
      };
      const before = states();
      const box = await gateway.box();
      const route = await gateway.route(box);
      equal('after a publish', states(), before);
      status(await gateway.unpublish(box, route.id), 200);
      status(await gateway.deregister(box), 200);
      await gateway.restart();
      equal('after a restart', states(), before);
      equal('below', readFileSync(join(routesDir, 'operators', 'boxgate-box_1.yml'), 'utf8'), '# deep\n');
    },
  ),
  check(
    'gateway/route-files/start-mends',
    ['choice/gateway/98'],
    'brings the directory in line before it is ready: writes what is missing or differs, removes what is nobody’s',
    async (gateway) => {
      needsLastingStore(gateway);
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
      for (const box of boxes) await gateway.route(box);
      const right = routeFileStates(gateway);
      await gateway.kill();
      const [kept, missing, differs] = boxes;
      rmSync(pathOf(gateway, missing));
      writeFileSync(pathOf(gateway, differs), 'http: {}\n');
      writeFileSync(join(gateway.world.routesDir, 'boxgate-box_nobody.yml'), 'http: {}\n');
      await gateway.start();
      const now = routeFileStates(gateway);
      equal('files', Object.keys(now).sort(), Object.keys(right).sort());
      equal('the one that was right is untouched', now[fileOf(kept)], right[fileOf(kept)]);
      const text = (all: Record<string, string>, box: LiveBox) => all[fileOf(box)]?.split('\n').slice(1);
      for (const box of [missing, differs]) equal('the text', text(now, box), text(right, box));
    },
  ),
  check(
    'gateway/route-files/other-store',
    ['choice/gateway/99'],
    'does not start on a directory that belongs to another store, and touches nothing in it',
    async (gateway) => {
      needsOwnStore(gateway);
      await gateway.route(await gateway.box());
      await gateway.stop();
      const before = routeFileStates(gateway);
      const environment = { GATEWAY_STATE_DIR: join(gateway.world.root, 'another-state') };
      const ended = await startAndEnd(gateway.start, { environment });
      equal('exit status', ended.status, 1);
      matches('one line', ended.stderr, /^[^\n]*(store|belongs)[^\n]*\n$/i);
      equal('the files', routeFileStates(gateway), before);
    },
  ),
  check(
    'gateway/route-files/cannot-be-written',
    ['choice/gateway/88'],
    'answers 500 when the file cannot be written, and has no such route',
    async (gateway) => {
      const { routesDir } = gateway.world;
      const box = await gateway.box();
      const subdomain = gateway.label();
      const away = `${routesDir}.away`;
      renameSync(routesDir, away);
      const answer = await gateway.publish(box, { subdomain });
      refused(answer, 500);
      holds('no path in the answer', !answer.text.includes(routesDir), record(answer));
      renameSync(away, routesDir);
      equal('routes', await gateway.routes(box), []);
      status(await gateway.publish(box, { subdomain }), 201);
      equal('files', routeFiles(gateway), [fileOf(box)]);
    },
  ),
  check(
    'gateway/route-files/before-the-box',
    ['choice/gateway/68'],
    'removes the file before the peer, whose address somebody else may get at once',
    async (gateway) => {
      const { manager } = gateway.world;
      const box = await gateway.box();
      await gateway.route(box);
      const address = box.peer().address;
      manager.faults.script({ kind: 'slow', on: 'delete', delayMs: 500 });
      const answer = gateway.deregister(box);
      await until('the peer is gone', () => manager.clients().every((client) => client.address !== address));
      equal('files', routeFiles(gateway), []);
      refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      status(await answer, 200);
    },
  ),
];
