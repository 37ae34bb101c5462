import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { learnBox, textsOf } from '../results.ts';
import { publicKeyOf } from '../tunnel/keys.ts';

/** The public keys that belong to the private keys of a registration result. Empty if it shows no configuration. */
function publicKeysIn(result: unknown): string[] {
  const keys = textsOf(result).map(([, text]) => /^PrivateKey\s*=\s*(\S+)/m.exec(text)?.[1]);
  return [...new Set(keys.filter((key) => key !== undefined))].map(publicKeyOf);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/registerBox/several-at-once',
    ['gateway/registerBox/1', 'gateway/peer/1', 'gateway/states/2', 'gateway/service/4'],
    'gives each of several simultaneous registrations its own id, token and peer',
    async (gateway) => {
      await gateway.start();
      const { manager } = gateway.environment;
      const answers = await gateway.together(() =>
        ['weir', 'mill', 'lock', 'quay', 'pier'].map((box_name) => gateway.register({ box_name })),
      );
      // A gateway may be too busy for one of them.
      for (const answer of answers) if (answer.status !== 201) refused(answer, 502);
      const results = answers.filter((answer) => answer.status === 201).map(record);
      ensure('a registration succeeds', results.length > 0);
      await until('there is one peer for each box', () => manager.clients().length === results.length);
      const boxes = [];
      for (const result of results) boxes.push({ ...(await learnBox(gateway, result)), keys: publicKeysIn(result) });
      for (const field of ['id', 'token'] as const)
        equal(`different values of ${field}`, new Set(boxes.map((box) => box[field])).size, boxes.length);
      const known = () => manager.clients().map((client) => client.publicKey);
      for (const box of boxes) {
        equal(
          'keys that the manager does not have',
          box.keys.filter((key) => !known().includes(key)),
          [],
        );
        const before = known();
        status(await gateway.deregister(box), 200);
        await until('a peer is removed', () => known().length < before.length);
        const expected = before.filter((key) => !box.keys.includes(key));
        if (box.keys.length > 0) equal('the peers of the other boxes', known(), expected);
      }
    },
  ),
  check(
    'gateway/publishRoute/several-at-once',
    ['gateway/publishRoute/1', 'gateway/rules/3', 'gateway/listRoutes/2', 'gateway/listRoutes/3', 'gateway/states/8'],
    'records each of several simultaneous publications with its own box, and serves all of them',
    async (gateway) => {
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()];
      const published = await gateway.together(() =>
        [...boxes, ...boxes, ...boxes].map(async (box) => ({ box, route: await gateway.route(box) })),
      );
      for (const box of boxes) {
        const listed = JSON.stringify(await gateway.routes(box));
        for (const { box: owner, route } of published)
          equal(`${route.subdomain} is in the list`, listed.includes(route.subdomain), owner === box);
      }
      await serves(
        gateway,
        published.map(({ route }) => route.host),
      );
    },
  ),
];
