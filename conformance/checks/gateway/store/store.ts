import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { exitsWithOneLine } from '../../process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { Caller, GatewayContext } from '../context.ts';
import { hostsOf, serves } from '../proxy.ts';
import { idOfRoute } from '../results.ts';
import { needsLastingStore, needsOwnStore, texts } from '../shared-fixture.ts';
import { filesBelow } from './store-folder.ts';

export const checks: Check<GatewayContext>[] = [
  check('gateway/store/file', ['gateway/process/7'], 'keeps its store in the configured file', async (gateway) => {
    needsOwnStore(gateway);
    const { environment } = gateway;
    const [elsewhere, another] = [join(environment.root, 'elsewhere'), join(environment.root, 'another-state')];
    for (const folder of [elsewhere, another]) mkdirSync(folder);
    const file = join(elsewhere, `${randomBytes(4).toString('hex')}.db`);
    environment.variables.GATEWAY_STORE = `file:${file}`;
    const box = await gateway.box();
    await gateway.stop();
    ensure('the file is there', lstatSync(file).size > 0);
    environment.variables.GATEWAY_STATE_DIR = another;
    status(await gateway.heartbeat(box), 200);
  }),
  check(
    'gateway/store/memory',
    ['gateway/process/7'],
    'keeps nothing over a restart with the store in memory',
    async (gateway) => {
      needsOwnStore(gateway);
      gateway.environment.variables.GATEWAY_STORE = 'memory:';
      const box = await gateway.box();
      const { subdomain } = await gateway.route(box);
      status(await gateway.heartbeat(box), 200);
      await gateway.restart();
      refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      const other = await gateway.box();
      await gateway.route(other, { subdomain });
    },
  ),
  check(
    'gateway/store/memory-route-files',
    ['should/gateway/101'],
    'withdraws the hosts of boxes that were only in memory',
    async (gateway) => {
      needsOwnStore(gateway);
      gateway.environment.variables.GATEWAY_STORE = 'memory:';
      const { host } = await gateway.route(await gateway.box());
      await serves(gateway, [host]);
      await gateway.restart();
      await serves(gateway, []);
    },
  ),
  check(
    'gateway/store/second-process',
    ['gateway/process/27', 'gateway/process/21'],
    'ends a second process on its file, also by another path and with other folders, and keeps running',
    async (gateway) => {
      needsOwnStore(gateway);
      const { root, variables } = gateway.environment;
      const inRoot = (name: string) => join(root, name);
      const refusesSecond = async (env: Record<string, string>) => {
        const box = await gateway.box();
        await exitsWithOneLine({ start: gateway.startBeside }, { env }, { status: 1 });
        status(await gateway.heartbeat(box), 200);
        await gateway.route(box);
      };
      await refusesSecond({});
      await gateway.stop();
      for (const name of ['harbour', 'its-routes', 'other-state', 'other-routes']) mkdirSync(inRoot(name));
      symlinkSync(inRoot('harbour'), inRoot('link'));
      variables.GATEWAY_STORE = `file:${inRoot('harbour/boxes')}`;
      variables.GATEWAY_ROUTES_DIR = inRoot('its-routes');
      await refusesSecond({
        GATEWAY_STORE: `file:${inRoot('link/boxes')}`,
        GATEWAY_STATE_DIR: inRoot('other-state'),
        GATEWAY_ROUTES_DIR: inRoot('other-routes'),
      });
    },
  ),
  check(
    'gateway/store/killed',
    ['should/gateway/100'],
    'loses no confirmed change when it is killed right after the response',
    async (gateway) => {
      needsLastingStore(gateway);
      const killAfter = async <T>(act: () => Promise<T>): Promise<T> => {
        const done = await act();
        await gateway.kill();
        await gateway.start();
        return done;
      };
      const old = await killAfter(() => gateway.box());
      status(await gateway.heartbeat(old), 200);
      const box: Caller = await killAfter(() => rotated(gateway, old));
      refused(await gateway.heartbeat(old), 401);
      const first = await killAfter(() => gateway.route(box));
      await serves(gateway, [first.host]);
      const second = await killAfter(() => gateway.route(box));
      await serves(gateway, [first.host, second.host]);
      await killAfter(async () => status(await gateway.unpublish(box, first.id), 200));
      equal('routes', (await gateway.routes(box)).map(idOfRoute), [second.id]);
      await serves(gateway, [second.host]);
      await killAfter(async () => status(await gateway.deregister(box), 200));
      refused(await gateway.heartbeat(box), 401);
      await serves(gateway, []);
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/store/killed-under-load',
    ['should/gateway/100', 'should/gateway/98'],
    'has, after a kill during many changes, every confirmed route, and serves exactly its routes',
    async (gateway) => {
      needsLastingStore(gateway);
      gateway.environment.variables.GATEWAY_ROUTE_LIMIT = '100';
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
      const answered: string[] = [];
      const { domain, traefik } = gateway.environment;
      let isOver = false;
      const publish = async (box: Caller) => {
        while (!isOver) {
          const subdomain = gateway.label();
          const answer = await gateway.publish(box, { subdomain }).catch(() => null);
          if (answer?.status === 201) answered.push(`${subdomain}.${domain}`);
          // Kills the gateway while other requests are in flight.
          if (answered.length >= 25) isOver = true;
        }
      };
      const asking = [...boxes, ...boxes].map(publish);
      await Promise.race(asking);
      await gateway.kill();
      await Promise.all(asking);
      await gateway.start();
      const routes = (await Promise.all(boxes.map(gateway.routes))).flat();
      await serves(gateway, hostsOf(routes, domain));
      const served = traefik.hosts();
      equal(
        'answered and gone',
        answered.filter((host) => !served.includes(host)),
        [],
      );
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/store/no-token-in-clear',
    ['should/gateway/560'],
    'writes no token, password or secret into its files',
    async (gateway) => {
      needsOwnStore(gateway);
      const { environment } = gateway;
      const box = await gateway.box();
      const old = await gateway.box();
      const fresh = await rotated(gateway, old);
      await gateway.route(fresh);
      const inFiles = () => {
        const files = [...filesBelow(environment.stateDir), ...filesBelow(environment.routesDir)];
        const secrets = [
          box.token,
          old.token,
          fresh.token,
          environment.registrationToken,
          environment.manager.password,
        ];
        ensure('there is a file', files.length > 0, files);
        return files.filter((file) => secrets.some((secret) => readFileSync(file).includes(secret)));
      };
      equal('files that hold one while it runs', inFiles(), []);
      await gateway.stop();
      equal('files that hold one after it ended', inFiles(), []);
    },
  ),
];
