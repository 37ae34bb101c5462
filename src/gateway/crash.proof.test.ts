/**
 * A kill before and after every call of the world that a change makes. What survives is the store, the tunnel
 * manager and the files; a gateway that starts on them has to bring them in line, whatever the moment was.
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
  makeTestGateway,
  makeTestWorld,
  type TestGateway,
  type TestWorld,
} from './testing/test-gateway.ts';

/** Ports that stand still for ever at the n-th moment: a call has a moment before it and one after it. */
function cutAt(world: TestWorld, moment: number) {
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
    store: cutting(world.store),
    tunnelManager: cutting(world.tunnels),
    routeFiles: cutting(world.files),
  };
  return { ports, isCut };
}

/** Starts a gateway on what is left, and lets it run until nothing is left to do. */
async function startAgain(t: TestContext, world: TestWorld): Promise<TestGateway> {
  const gateway = await makeTestGateway(t, { world });
  await gateway.mirror.bringInLine();
  const janitor = makeJanitor(gateway);
  await janitor.start(pendingMs);
  for (let i = 0; i < 50; i += 1) await world.clock.pass(5000);
  await janitor.stop();
  return gateway;
}

/** No peer, row, file or note too many, and none too few. */
async function assertInLine({ store, tunnels, files, clock }: TestWorld, when: string): Promise<void> {
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

/** Two boxes with a route each; the neighbour must never notice anything. */
async function setScene(t: TestContext) {
  const world = await makeTestWorld(t);
  const gateway = await makeTestGateway(t, { world });
  const own = await addBox(gateway, 'own');
  const neighbour = await addBox(gateway, 'neighbour');
  const route = await publishRoute(gateway, own.box, wanted('own'));
  await publishRoute(gateway, neighbour.box, wanted('neighbour'));
  return { world, own, neighbour, route };
}

const subdomainsOf = async ({ store }: TestWorld, boxId: string) =>
  (await store.routesOfBox(boxId)).map(({ subdomain }) => subdomain);

type Change = {
  act(gateway: TestGateway, scene: Scene): Promise<unknown>;
  /** What must hold on the gateway that starts again, after any cut and after the whole change. */
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
    async holds({ world }, _scene, isDone) {
      const count = (await world.store.listBoxes()).length;
      assert.ok(isDone ? count === 3 : count === 2 || count === 3);
    },
  },
  publish: {
    act: (gateway, { own }) => publishRoute(gateway, own.box, wanted('more')),
    async holds({ world }, { own }, isDone) {
      const subdomains = await subdomainsOf(world, own.box.id);
      assert.ok(!isDone || subdomains.includes('more'));
      assert.equal(subdomains[0], 'own');
    },
  },
  unpublish: {
    act: (gateway, { own, route }) => unpublishRoute(gateway, own.box, route.id),
    async holds({ world }, { own }, isDone) {
      const subdomains = await subdomainsOf(world, own.box.id);
      if (isDone) assert.deepEqual(subdomains, []);
    },
  },
  rotate: {
    act: (gateway, { own }) =>
      rotateBoxToken(gateway, { box: own.box, tokenHash: gateway.tokens.hash(own.token) }),
    async holds({ world, tokens }, { own }, isDone) {
      assert.deepEqual(await subdomainsOf(world, own.box.id), ['own']);
      if (isDone) assert.equal(await world.store.boxOfToken(tokens.hash(own.token)), null);
    },
  },
  deregister: {
    act: (gateway, { own }) => deregisterBox(gateway, own.box),
    async holds({ world }, { own }, isDone) {
      const ids = (await world.store.listBoxes()).map(({ id }) => id);
      assert.ok(!isDone || !ids.includes(own.box.id));
    },
  },
};

for (const [name, { act, holds }] of Object.entries(changes)) {
  test(`choice/gateway/100, choice/gateway/43: a kill at any moment of ${name} leaves nothing out of line`, async (t) => {
    let isDone = false;
    let moments = 0;
    while (!isDone) {
      const scene = await setScene(t);
      const { world, neighbour } = scene;
      const { ports, isCut } = cutAt(world, moments);
      const gateway = await makeTestGateway(t, { world, ports });
      const outcome = await Promise.race([act(gateway, scene).then(() => 'done' as const), isCut]);
      isDone = outcome === 'done';
      const when = `${name}, moment ${moments}`;
      const later = await startAgain(t, world);
      await assertInLine(world, when);
      await holds(later, scene, isDone);
      assert.deepEqual(await subdomainsOf(world, neighbour.box.id), ['neighbour'], when);
      assert.deepEqual(await world.store.boxOfToken(later.tokens.hash(neighbour.token)), neighbour.box, when);
      moments += 1;
    }
    assert.ok(moments > 2, 'no moment was cut');
  });
}
