import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { textsOf } from '../results.ts';
import { fieldIn, shared } from '../shared-fixture.ts';

/** Whether a listed route is the published one: it contains the route's id. */
const isRoute = (shown: unknown, id: string) => textsOf(shown).some(([, text]) => text === id);

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/listRoutes/empty',
    ['gateway/listRoutes/1'],
    'answers {"routes": []} to a box without routes',
    async (gateway) => {
      const answer = await gateway.list(await gateway.box());
      status(answer, 200);
      equal('routes', record(answer).routes, []);
    },
    shared,
  ),
  check(
    'gateway/listRoutes/ok',
    ['gateway/listRoutes/1', 'gateway/listRoutes/2', 'gateway/route/1', 'gateway/rules/3'],
    'lists one object for each route of the calling box, and nothing else',
    async (gateway) => {
      const box = await gateway.box();
      const published = [await gateway.route(box), await gateway.route(box), await gateway.route(box)];
      const routes = await gateway.routes(box);
      equal('how many', routes.length, 3);
      for (const { id } of published) equal(`objects with ${id}`, routes.filter((one) => isRoute(one, id)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/listRoutes/many',
    ['gateway/listRoutes/2'],
    'lists all of fifty-one routes',
    async (gateway) => {
      const box = await gateway.box();
      for (let count = 0; count < 51; count += 1) status(await gateway.publish(box), 201);
      equal('how many', (await gateway.routes(box)).length, 51);
    },
    shared,
  ),
  check(
    'gateway/listRoutes/own-only',
    ['gateway/listRoutes/3', 'gateway/listRoutes/2', 'gateway/rules/3'],
    'does not list routes of other boxes',
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      const mine = await gateway.route(one);
      const theirs = [await gateway.route(other), await gateway.route(other)];
      const [listed, others] = [await gateway.routes(one), await gateway.routes(other)];
      equal('how many', [listed.length, others.length], [1, 2]);
      ensure('it is mine', isRoute(listed[0], mine.id), listed);
      for (const { id } of theirs)
        equal(
          'it is theirs',
          listed.some((route) => isRoute(route, id)),
          false,
        );
      // Only the token determines the owner of a route. A box id in the body is ignored or refused.
      const asked = await gateway.publish(one, { box_id: other.id });
      const more = asked.status === 201 ? 1 : 0;
      const now = [(await gateway.routes(one)).length, (await gateway.routes(other)).length];
      equal('how many after a publish that names another box', now, [1 + more, 2]);
    },
    shared,
  ),
  check(
    'gateway/listRoutes/fields',
    ['gateway/route/2', 'gateway/route/3', 'gateway/route/4', 'gateway/route/5', 'gateway/route/6', 'gateway/rules/3'],
    'shows for a route the published fields, its box and its account, where it shows them',
    async (gateway) => {
      const box = await gateway.box();
      const asked = await gateway.route(box, { app_name: 'lighthouse', port: 4711 });
      const [route] = await gateway.routes(box);
      const published = record(asked.answer);
      const known = [
        ['app name', ['app_name'], 'lighthouse'],
        ['subdomain', ['subdomain'], asked.subdomain],
        ['target port', ['target_port', 'port'], 4711],
        ['box', ['box_id'], box.id],
        ['account', ['account_id'], fieldIn(box.answer.json, 'account_id')?.value],
      ] as const;
      for (const [what, names, value] of known) {
        // An account id that the registration does not show is still the same in the list and in the
        // publication.
        const expected = value ?? fieldIn(published, ...names)?.value;
        for (const shown of [route, published]) {
          const found = fieldIn(shown, ...names);
          if (found === null || expected === undefined) continue;
          equal(`the ${what} that is shown`, found.value, expected);
        }
      }
    },
    shared,
  ),
];
