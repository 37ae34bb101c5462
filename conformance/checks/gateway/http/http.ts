import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal } from '../../../kernel/expect.ts';
import { answersRequestsInOrder } from '../../http/one-connection.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

async function someAnswers(gateway: GatewayContext) {
  const box = await gateway.box();
  const route = await gateway.route(box);
  return [
    box.answer,
    route.answer,
    await gateway.get('/healthz'),
    await gateway.get('/nowhere'),
    await gateway.list(box),
    await gateway.heartbeat(box),
    await gateway.register({ box_name: undefined }),
    await gateway.get('/v1/routes'),
    await gateway.get('/v1/routes', bearer('nonsense')),
    await gateway.heartbeat({ id: 'somebody', token: box.token }),
    await gateway.publish(box, { port: null }),
    await gateway.publish(box, { subdomain: route.subdomain }),
    await gateway.unpublish(box, 'no-such-route'),
    await gateway.request({ method: 'DELETE', path: '/v1/routes', headers: bearer(box.token), body: {} }),
    await gateway.deregister(box),
  ];
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/http/json-headers',
    ['gateway/endpoints/1', 'gateway/endpoints/2', 'gateway/endpoints/7', 'gateway/endpoints/8', 'gateway/service/1'],
    'sends every response as application/json with its length in bytes, errors included',
    async (gateway) => {
      for (const answer of await someAnswers(gateway)) {
        const what = `of ${answer.method} ${answer.path} ${answer.status}`;
        equal(`Content-Type ${what}`, answer.headers['content-type'], 'application/json');
        equal(`Content-Length ${what}`, answer.headers['content-length'], String(answer.body.length));
        equal(`no chunks ${what}`, answer.headers['transfer-encoding'], undefined);
        ensure(`JSON ${what}`, answer.json !== undefined, answer.text);
      }
    },
    { ...shared, verifies: ['json', 'content-length'] },
  ),
  check(
    'gateway/http/error-form',
    ['gateway/errors/1', 'gateway/endpoints/2'],
    'sends every error as one text under error, and nothing else',
    async (gateway) => {
      const errors = (await someAnswers(gateway)).filter((answer) => answer.status >= 400);
      ensure('there are errors, whose form was verified', errors.length > 0);
    },
    { ...shared, verifies: ['error'] },
  ),
  check(
    'gateway/http/keep-alive',
    ['gateway/service/1', 'gateway/endpoints/8'],
    'answers sequential requests on one connection completely, or closes it after the first',
    (gateway) => answersRequestsInOrder(gateway.raw, '/healthz'),
    shared,
  ),
];
