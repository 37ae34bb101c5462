/**
 * Kills a gateway before and after each call of a port. The store, the tunnel manager and the files survive. A
 * gateway that starts on them must make them consistent, whenever the kill happened.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deregisterBox, rotateBoxToken } from './boxes/boxes.ts';
import { makeJanitor } from './boxes/janitor.ts';
import { pendingMs, registerBox } from './boxes/register-box.ts';
import { publishRoute, unpublishRoute } from './routes/routes.ts';
import { routeFileText } from './rules/route-file.ts';
import {
  addBox,
  makeTestEnvironment,
  makeTestGateway,
  type TestEnvironment,
  type TestGateway,
} from './testing/test-gateway.ts';
import { hashOf } from './tokens.ts';

/** Ports that never respond again after the n-th moment. Each call has one moment before it and one after it. */
function cutAt(environment: TestEnvironment, moment: number) {
  let left = moment;
  let cut = () => {};
  const isCut = new Promise<'cut'>((resolve) => {
    cut = () => resolve('cut');
  });
  const never = new Promise<never>(() => undefined);
  const pass = async () => {
    if (left === 0) {
      cut();
      await never;
    }
    left -= 1;
  };
  const cutting = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member = target[name as keyof Port];
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          await pass();
          const result = await member.apply(target, args);
          await pass();
          return result;
        };
      },
    });
  const ports = {
    store: cutting(environment.store),
    tunnelManager: cutting(environment.tunnels),
    routeFiles: cutting(environment.files),
  };
  return { ports, isCut };
}

/** Starts a gateway in the environment of a killed one, and lets it finish its work. */
async function startAgain(t: TestContext, environment: TestEnvironment): Promise<TestGateway> {
  const gateway = await makeTestGateway(t, { environment });
  await gateway.routeFileSync.updateAll();
  const janitor = makeJanitor(gateway);
  await janitor.start(pendingMs);
  for (let i = 0; i < 50; i += 1) await environment.clock.pass(5000);
  await janitor.stop();
  return gateway;
}

/** Checks that peers, rows, files and pending deletions match. */
async function assertInLine({ store, tunnels, files, clock }: TestEnvironment, when: string): Promise<void> {
  const boxes = await store.listBoxes();
  assert.deepEqual(
    boxes.filter(({ state }) => state !== 'active'),
    [],
    when,
  );
  assert.deepEqual(tunnels.names().sort(), boxes.map(({ peerName }) => peerName).sort(), when);
  assert.deepEqual(await store.duePeers(clock.ms + 10 ** 12, 10), [], when);
  const expected = new Map<string, string | null>();
  for await (const box of store.publishedBoxes()) {
    const options = { domain: 'example.org', entrypoint: 'websecure', certResolver: null };
    expected.set(box.boxId, routeFileText(box, options));
  }
  assert.deepEqual(new Map(files.texts), expected, when);
}

const wanted = (subdomain: string) => ({ appName: 'notes', subdomain, port: 80 });

type Scene = Awaited<ReturnType<typeof setScene>>;

/** Two boxes with a route each. The second one must not be affected. */
async function setScene(t: TestContext) {
  const environment = await makeTestEnvironment(t);
  const gateway = await makeTestGateway(t, { environment });
  const own = await addBox(gateway, 'own');
  const neighbour = await addBox(gateway, 'neighbour');
  const route = await publishRoute(gateway, own.box, wanted('own'));
  await publishRoute(gateway, neighbour.box, wanted('neighbour'));
  return { environment, own, neighbour, route };
}

const subdomainsOf = async ({ store }: TestEnvironment, boxId: string) =>
  (await store.routesOfBox(boxId)).map(({ subdomain }) => subdomain);

type Change = {
  act(gateway: TestGateway, scene: Scene): Promise<unknown>;
  /** Checks the restarted gateway, after a kill at any moment and after the complete change. */
  holds(gateway: TestGateway, scene: Scene, isDone: boolean): Promise<void>;
};

const changes: Record<string, Change> = {
  register: {
    act: (gateway) =>
      registerBox(gateway, {
        token: 'the registration token',
        name: 'new',
        from: { address: '192.0.2.1', client: '192.0.2.1' },
      }),
    async holds({ environment }, _scene, isDone) {
      const count = (await environment.store.listBoxes()).length;
      assert.ok(isDone ? count === 3 : count === 2 || count === 3);
    },
  },
  publish: {
    act: (gateway, { own }) => publishRoute(gateway, own.box, wanted('more')),
    async holds({ environment }, { own }, isDone) {
      const subdomains = await subdomainsOf(environment, own.box.id);
      assert.ok(!isDone || subdomains.includes('more'));
      assert.equal(subdomains[0], 'own');
    },
  },
  unpublish: {
    act: (gateway, { own, route }) => unpublishRoute(gateway, own.box, route.id),
    async holds({ environment }, { own }, isDone) {
      const subdomains = await subdomainsOf(environment, own.box.id);
      if (isDone) assert.deepEqual(subdomains, []);
    },
  },
  rotate: {
    act: (gateway, { own }) => rotateBoxToken(gateway, { box: own.box, tokenHash: hashOf(own.token) }),
    async holds({ environment }, { own }, isDone) {
      assert.deepEqual(await subdomainsOf(environment, own.box.id), ['own']);
      if (isDone) assert.equal(await environment.store.boxOfToken(hashOf(own.token)), null);
    },
  },
  deregister: {
    act: (gateway, { own }) => deregisterBox(gateway, own.box),
    async holds({ environment }, { own }, isDone) {
      const ids = (await environment.store.listBoxes()).map(({ id }) => id);
      assert.ok(!isDone || !ids.includes(own.box.id));
    },
  },
};

for (const [name, { act, holds }] of Object.entries(changes)) {
  test(`should/gateway/100, should/gateway/43: a kill at any moment of ${name} leaves a consistent state after a restart`, async (t) => {
    let isDone = false;
    let moments = 0;
    while (!isDone) {
      const scene = await setScene(t);
      const { environment, neighbour } = scene;
      const { ports, isCut } = cutAt(environment, moments);
      const gateway = await makeTestGateway(t, { environment, ports });
      const outcome = await Promise.race([act(gateway, scene).then(() => 'done' as const), isCut]);
      isDone = outcome === 'done';
      const when = `${name}, moment ${moments}`;
      const later = await startAgain(t, environment);
      await assertInLine(environment, when);
      await holds(later, scene, isDone);
      assert.deepEqual(await subdomainsOf(environment, neighbour.box.id), ['neighbour'], when);
      assert.deepEqual(await environment.store.boxOfToken(hashOf(neighbour.token)), neighbour.box, when);
      moments += 1;
    }
    assert.ok(moments > 2, 'no moment was cut');
  });
}
