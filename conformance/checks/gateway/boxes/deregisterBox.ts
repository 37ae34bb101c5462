import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { shared, texts } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/deregisterBox/ok',
    ['gateway/deregisterBox/1', 'gateway/states/5', 'gateway/auth/8'],
    'answers {"status": "ok"}, and refuses the token of the box from then on',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      const answer = await gateway.deregister(box);
      status(answer, 200);
      equal('status in the body', record(answer).status, 'ok');
      for (const act of [gateway.heartbeat, gateway.rotate, gateway.deregister, gateway.list, gateway.publish]) {
        refused(await act(box), 401, texts.invalidToken);
      }
      refused(await gateway.unpublish(box, route.id), 401, texts.invalidToken);
    },
    shared,
  ),
  check(
    'gateway/deregisterBox/no-body',
    ['gateway/deregisterBox/4'],
    'needs no body, and ignores any',
    async (gateway) => {
      for (const body of ['{', '[]', { box_id: 'other' }]) {
        const box = await gateway.box();
        status(await gateway.post(`/v1/boxes/${box.id}/deregister`, body, bearer(box.token)), 200);
        refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      }
    },
    shared,
  ),
  check(
    'gateway/deregisterBox/others-stay',
    ['gateway/states/5', 'gateway/deregisterBox/1'],
    'removes this box only',
    async (gateway) => {
      const [gone, stays] = [await gateway.box('twin'), await gateway.box('twin')];
      await gateway.route(gone);
      await gateway.route(stays);
      const before = await gateway.routes(stays);
      status(await gateway.deregister(gone), 200);
      refused(await gateway.heartbeat(gone), 401, texts.invalidToken);
      status(await gateway.heartbeat(stays), 200);
      equal('the routes of the other box', await gateway.routes(stays), before);
    },
    shared,
  ),
  check(
    'gateway/deregisterBox/refused',
    ['gateway/deregisterBox/2', 'gateway/deregisterBox/3'],
    'keeps a box if it refuses to remove it',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(box);
      refused(await gateway.deregister({ id: box.id, token: other.token }), 403, texts.otherBox);
      refused(await gateway.deregister({ id: box.id, token: 'nonsense' }), 401, texts.invalidToken);
      refused(await gateway.post(`/v1/boxes/${box.id}/deregister`), 401, texts.missingToken);
      equal('its routes', (await gateway.routes(box)).length, 1);
      status(await gateway.heartbeat(other), 200);
    },
    shared,
  ),
  check(
    'gateway/deregisterBox/frees',
    ['should/gateway/70'],
    'withdraws the hosts of the box, and frees its subdomains and its place in the limit',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '2';
      const [gone, stays] = [await gateway.box(), await gateway.box()];
      const { subdomain } = await gateway.route(gone);
      refused(await gateway.publish(stays, { subdomain }), 409);
      refused(await gateway.register(), 403);
      const { host } = await gateway.route(stays);
      status(await gateway.deregister(gone), 200);
      await serves(gateway, [host]);
      status(await gateway.publish(stays, { subdomain }), 201);
      status(await gateway.register(), 201);
    },
  ),
];
