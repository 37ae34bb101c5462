import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, record, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/heartbeatBox/ok',
    ['gateway/heartbeatBox/1', 'gateway/auth/1'],
    'answers {"status": "ok"} to the box, any number of times',
    async (gateway) => {
      const box = await gateway.box();
      for (let beat = 0; beat < 5; beat += 1) {
        const answer = await gateway.heartbeat(box);
        status(answer, 200);
        equal('status in the body', record(answer).status, 'ok');
      }
    },
    shared,
  ),
  check(
    'gateway/heartbeatBox/no-body',
    ['gateway/heartbeatBox/4', 'gateway/endpoints/4', 'gateway/endpoints/5'],
    'needs no body, and ignores any',
    async (gateway) => {
      const box = await gateway.box();
      for (const body of [undefined, '', '{}', '{', '[]', { box_id: 'x' }]) {
        status(await gateway.post(`/v1/boxes/${box.id}/heartbeat`, body, bearer(box.token)), 200);
      }
    },
    shared,
  ),
  check(
    'gateway/heartbeatBox/changes-nothing-else',
    ['gateway/heartbeatBox/1', 'gateway/box/6'],
    'keeps token and routes of the box, and shows no token',
    async (gateway) => {
      const box = await gateway.box();
      await gateway.route(box);
      const before = await gateway.list(box);
      const answers = [await gateway.heartbeat(box), await gateway.list(box)];
      equal('the routes', answers[1]?.json, before.json);
      for (const answer of [before, ...answers]) equal('a token in it', answer.text.includes(box.token), false);
    },
    shared,
  ),
];
