import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/unpublishRoute/ok',
    ['gateway/unpublishRoute/1', 'gateway/states/9'],
    'answers {"status": "ok"}, and removes only this route',
    async (gateway) => {
      const box = await gateway.box();
      const [gone, stays] = [await gateway.route(box), await gateway.route(box)];
      const answer = await gateway.unpublish(box, gone.id);
      status(answer, 200);
      equal('status in the body', record(answer).status, 'ok');
      equal('routes', (await gateway.routes(box)).length, 1);
      refused(await gateway.unpublish(box, gone.id), 404, texts.route);
      status(await gateway.unpublish(box, stays.id), 200);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/unpublishRoute/unknown',
    ['gateway/unpublishRoute/2', 'gateway/errors/6', 'gateway/errors/2'],
    'answers 404 route not found for an unknown route',
    async (gateway) => {
      const box = await gateway.box();
      const { id: own, subdomain } = await gateway.route(box);
      const similar = [`0${own}`, `${own}0`, `${own}.0`, `${own}x`, `+${own}`, `%20${own}`];
      for (const id of [...similar, 'no-such-route', box.id, subdomain, 'rt_0000000000000000', '*', '0', 'undefined']) {
        refused(await gateway.unpublish(box, id), 404, texts.route);
      }
      equal('routes', (await gateway.routes(box)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/unpublishRoute/of-another-box',
    ['gateway/unpublishRoute/3'],
    'answers 404 route not found for a route of another box, and keeps it',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      const route = await gateway.route(other);
      const before = await gateway.routes(other);
      refused(await gateway.unpublish(box, route.id), 404, texts.route);
      equal('routes of the other', await gateway.routes(other), before);
      status(await gateway.unpublish(other, route.id), 200);
    },
    shared,
  ),
  check(
    'gateway/unpublishRoute/refused',
    ['gateway/unpublishRoute/4', 'gateway/auth/6', 'gateway/auth/8'],
    'keeps the route if the token is refused',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      refused(await gateway.unpublish({ ...box, token: 'nonsense' }, route.id), 401, texts.invalidToken);
      refused(await gateway.request({ method: 'DELETE', path: `/v1/routes/${route.id}` }), 401, texts.missingToken);
      equal('routes', (await gateway.routes(box)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/unpublishRoute/no-body',
    ['gateway/unpublishRoute/5'],
    'needs no body, and ignores any',
    async (gateway) => {
      const box = await gateway.box();
      for (const body of ['', '{', '[]', { route_id: 'other' }]) {
        const { id } = await gateway.route(box);
        const asked = { method: 'DELETE', path: `/v1/routes/${id}`, headers: bearer(box.token), body };
        status(await gateway.request(asked), 200);
      }
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/unpublishRoute/frees-subdomain',
    ['should/gateway/81'],
    'frees the subdomain for every box at once',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      const first = await gateway.route(box);
      status(await gateway.unpublish(box, first.id), 200);
      const second = await gateway.route(other, { subdomain: first.subdomain });
      refused(await gateway.unpublish(box, first.id), 404);
      status(await gateway.unpublish(other, second.id), 200);
      await gateway.route(box, { subdomain: first.subdomain });
    },
    shared,
  ),
];
