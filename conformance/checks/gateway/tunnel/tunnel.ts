import { type Dialect, dialects } from '../../../../fakes/wg-easy/model/dialect.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, pluck, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { textsOf } from '../results.ts';
import { texts } from '../shared-fixture.ts';
import { publicKeyOf } from './keys.ts';

/** The public keys of everything in a registration response that can be a private key. */
function publicKeysIn(box: LiveBox): string[] {
  const found = textsOf(box.answer.json).flatMap(([, text]) => text.match(/(?<![\w+/])[\w+/]{43}=/g) ?? []);
  return found.map(publicKeyOf);
}

/** Creates and removes two peers at a manager with this dialect. */
const liveAndDie = (dialect: Dialect) =>
  check<GatewayContext>(
    `gateway/tunnel/version-${dialect.replace('.', '-')}`,
    [
      'gateway/process/25',
      'gateway/process/9',
      'gateway/service/4',
      'gateway/service/6',
      'gateway/peer/1',
      'gateway/peer/2',
      'gateway/peer/3',
      'gateway/states/2',
      'gateway/states/6',
    ],
    `creates and removes peers at version ${dialect} of the tunnel manager, after its kind of login`,
    async (gateway) => {
      const manager = await gateway.environment.useManager({ dialect });
      manager.add('somebody’s laptop');
      const [one, other] = [await gateway.box(), await gateway.box()];
      const [first, second] = [one.peer(), other.peer()];
      ensure('two peers at two addresses', first.address !== second.address, first.address);
      ensure('both are on the interface', first.live && second.live);
      ensure('it logged in', manager.counters().logins > 0, manager.counters());
      status(await gateway.deregister(one), 200);
      const left = () =>
        manager
          .clients()
          .map((client) => client.address)
          .sort();
      const stay = manager
        .clients()
        .filter((client) => client.id !== first.id)
        .map((client) => client.address)
        .sort();
      await until('the peer of the box is gone, and no other', () => JSON.stringify(left()) === JSON.stringify(stay));
      equal('peers on the interface', manager.live().length, 2);
      const third = (await gateway.box()).peer();
      ensure('a new box has a live peer', third.live);
    },
  );

export const checks: Check<GatewayContext>[] = [
  ...dialects.map(liveAndDie),
  check(
    'gateway/tunnel/keys',
    ['gateway/service/7', 'gateway/service/8'],
    'passes on the key pair of the manager, and accepts no key from the client',
    async (gateway) => {
      for (const box of [await gateway.box(), await gateway.box()]) {
        const { publicKey } = box.peer();
        equal('the answer has the private key of the peer', publicKeysIn(box).includes(publicKey), true);
      }
      const foreign = Buffer.alloc(32, 7).toString('base64');
      const fields = {
        public_key: foreign,
        publicKey: foreign,
        peer: { public_key: foreign },
        tunnel: { publicKey: foreign },
      };
      const before = new Set(gateway.environment.manager.clients().map((client) => client.publicKey));
      const answer = await gateway.register(fields);
      if (answer.status !== 201) return refused(answer, 400);
      const added = gateway.environment.manager.clients().filter((client) => !before.has(client.publicKey));
      equal('new peers', added.length, 1);
      ensure('its key is the manager’s own', added[0]?.publicKey !== foreign);
    },
  ),
  check(
    'gateway/tunnel/refused-registrations',
    ['gateway/peer/2', 'gateway/registerBox/5', 'gateway/registerBox/2'],
    'creates no peer for a registration that it refuses',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const { manager } = gateway.environment;
      refused(await gateway.register({ box_name: undefined }), 400, texts.registrationFields);
      refused(await gateway.register({ registration_token: 'wrong' }), 401, texts.registrationToken);
      equal('peers', manager.clients().length, 0);
      const box = await gateway.box();
      refused(await gateway.register(), 403, texts.boxLimit);
      refused(await gateway.deregister({ id: box.id, token: 'nonsense' }), 401, texts.invalidToken);
      status(await gateway.rotate(box), 200);
      equal('peers', manager.clients(), [box.peer()]);
    },
  ),
  check(
    'gateway/tunnel/one-at-a-time',
    ['should/gateway/50'],
    'sends the manager one request at a time, however many boxes come and go',
    async (gateway) => {
      const { manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '30';
      const early = [await gateway.box(), await gateway.box(), await gateway.box()];
      manager.loseSessions();
      const answers = await gateway.together(() => [
        ...Array.from({ length: 8 }, () => gateway.register()),
        ...early.map((box) => gateway.deregister(box)),
      ]);
      // A gateway may be too busy for a registration.
      for (const answer of answers.slice(0, 8)) if (answer.status !== 201) refused(answer, 502);
      equal('answers to deregistrations', pluck(answers.slice(8), 'status'), [200, 200, 200]);
      const oneAtATime = () => {
        const { maxInFlight, maxLoginsInFlight, loginsBesideMutations } = manager.counters();
        equal(
          'requests at the manager at once',
          { maxInFlight, maxLoginsInFlight, loginsBesideMutations },
          { maxInFlight: 1, maxLoginsInFlight: 1, loginsBesideMutations: 0 },
        );
      };
      // First, because requests at once are also why none succeeds.
      oneAtATime();
      const left = answers.filter((answer) => answer.status === 201).length;
      ensure('a registration succeeds', left > 0);
      await until(`${left} peers are left`, () => manager.clients().length === left);
      oneAtATime();
      equal('collisions', manager.collisions(), 0);
    },
  ),
  ...(['14', '15.4'] as const).map((dialect) =>
    check<GatewayContext>(
      `gateway/tunnel/session-${dialect.replace('.', '-')}`,
      ['should/gateway/51'],
      `keeps its session at version ${dialect} between calls, and registers again after that is lost`,
      async (gateway) => {
        const manager = await gateway.environment.useManager({ dialect });
        const logins = () => manager.counters().logins;
        /** Registers and removes boxes with the session that the gateway has now. */
        const keepsSession = async () => {
          const before = logins();
          const box = await gateway.box();
          await gateway.box();
          status(await gateway.deregister(box), 200);
          equal('further logins', logins() - before, 0);
        };
        await gateway.box();
        await keepsSession();
        manager.loseSessions();
        await gateway.box();
        await keepsSession();
        await manager.restart();
        await gateway.box();
        await keepsSession();
      },
    ),
  ),
];
