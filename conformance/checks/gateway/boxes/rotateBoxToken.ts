import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { Caller, GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

/** Rotates the token of a box and returns the box with the new token. */
export async function rotated(gateway: GatewayContext, box: Caller): Promise<Caller> {
  const answer = await gateway.rotate(box);
  status(answer, 200);
  const { box_token: token } = record(answer);
  ensure('box_token is a text', typeof token === 'string' && token !== '', token);
  return { id: box.id, token };
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/rotateBoxToken/ok',
    ['gateway/rotateBoxToken/1', 'gateway/auth/3', 'gateway/states/3'],
    'answers a new token, which is valid from then on',
    async (gateway) => {
      const box = await gateway.box();
      const answer = await gateway.rotate(box);
      status(answer, 200);
      const token = record(answer).box_token as string;
      ensure('it is new', token !== box.token);
      status(await gateway.heartbeat({ id: box.id, token }), 200);
      status(await gateway.list({ id: box.id, token }), 200);
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/old-token',
    ['gateway/auth/13', 'gateway/states/3', 'gateway/auth/8'],
    'replaces the old token, which is refused everywhere',
    async (gateway) => {
      const old = await gateway.box();
      const route = await gateway.route(old);
      const fresh = await rotated(gateway, old);
      for (const act of [gateway.heartbeat, gateway.rotate, gateway.deregister, gateway.list]) {
        refused(await act(old), 401, texts.invalidToken);
      }
      refused(await gateway.publish(old), 401, texts.invalidToken);
      refused(await gateway.unpublish(old, route.id), 401, texts.invalidToken);
      status(await gateway.heartbeat(fresh), 200);
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/keeps-the-box',
    ['gateway/states/3', 'gateway/rotateBoxToken/1', 'gateway/rotateBoxToken/4'],
    'keeps the box and its routes, and does not affect others',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(box);
      const before = await gateway.routes(box);
      const once = await rotated(gateway, box);
      const fresh = await rotated(gateway, once);
      ensure('the second token is new, too', fresh.token !== once.token && fresh.token !== box.token);
      refused(await gateway.heartbeat(once), 401, texts.invalidToken);
      equal('the routes', await gateway.routes(fresh), before);
      status(await gateway.heartbeat(other), 200);
      refused(await gateway.heartbeat({ id: other.id, token: fresh.token }), 403, texts.otherBox);
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/no-body',
    ['gateway/rotateBoxToken/4', 'gateway/endpoints/5'],
    'needs no body, and ignores any',
    async (gateway) => {
      for (const body of ['{', '[]', { box_id: 'other' }]) {
        const box = await gateway.box();
        status(await gateway.post(`/v1/boxes/${box.id}/rotate-token`, body, bearer(box.token)), 200);
        refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      }
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/refused-rotation',
    ['gateway/rotateBoxToken/2', 'gateway/rotateBoxToken/3'],
    'keeps the token if it refuses to rotate',
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      refused(await gateway.rotate({ id: box.id, token: other.token }), 403, texts.otherBox);
      refused(await gateway.rotate({ id: box.id, token: 'nonsense' }), 401, texts.invalidToken);
      for (const one of [box, other]) status(await gateway.heartbeat(one), 200);
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/shown-once',
    ['gateway/box/6'],
    'shows a token at registration and rotation, and in no other response',
    async (gateway) => {
      const box = await gateway.box();
      const fresh = await rotated(gateway, box);
      const route = await gateway.route(fresh);
      const answers = [
        route.answer,
        await gateway.list(fresh),
        await gateway.heartbeat(fresh),
        await gateway.publish(fresh, { port: null }),
        await gateway.heartbeat({ id: 'x', token: fresh.token }),
        await gateway.heartbeat(box),
        await gateway.unpublish(fresh, route.id),
        await gateway.deregister(fresh),
      ];
      for (const answer of answers) {
        const what = `${answer.method} ${answer.path} holds`;
        for (const token of [box.token, fresh.token]) equal(`${what} a token`, answer.text.includes(token), false);
        const headers = JSON.stringify(answer.headers);
        equal(`${what} a token in its headers`, headers.includes(fresh.token), false);
      }
    },
    shared,
  ),
  check(
    'gateway/rotateBoxToken/at-once',
    ['should/gateway/62', 'should/gateway/63'],
    'lets one of several simultaneous rotations succeed, and answers 401 to the others',
    async (gateway) => {
      const box = await gateway.box();
      const answers = await gateway.together(() => Array.from({ length: 8 }, () => gateway.rotate(box)));
      const won = answers.filter((answer) => answer.status === 200);
      equal('how many win', won.length, 1);
      for (const answer of answers) {
        if (answer.status !== 200) refused(answer, 401);
      }
      const [winner] = won;
      status(await gateway.heartbeat({ id: box.id, token: String(record(winner ?? { json: null }).box_token) }), 200);
      refused(await gateway.heartbeat(box), 401);
    },
    shared,
  ),
];
