import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { Caller, GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { idOfRoute } from '../results.ts';
import { needsLastingStore, needsOwnStore, shownField, texts } from '../shared-fixture.ts';
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
    ['gateway/process/27'],
    'prevents a second process from using its file, and keeps running',
    async (gateway) => {
      needsOwnStore(gateway);
      const box = await gateway.box();
      const ended = await startExpectingExit(gateway.startBeside, {});
      if (ended.status === 'it runs') throw new NotApplicable('two processes of it may have one file');
      ensure('it does not run', ended.status !== 'it runs' && ended.status !== 0, ended.status);
      status(await gateway.heartbeat(box), 200);
      await gateway.route(box);
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
      let isOver = false;
      const publish = async (box: Caller) => {
        while (!isOver) {
          const subdomain = gateway.label();
          const answer = await gateway.publish(box, { subdomain }).catch(() => null);
          if (answer?.status === 201) answered.push(subdomain);
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
      const listed = routes.map((route) => String(shownField(route, 'subdomain')));
      equal(
        'answered and gone',
        answered.filter((subdomain) => !listed.includes(subdomain)),
        [],
      );
      await serves(
        gateway,
        listed.map((subdomain) => `${subdomain}.${gateway.environment.domain}`),
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
